/** The rules `keeps` of upstream.yaml: no change alters the answers that stay in memory after it. */
import { afterAll, describe, expect, test } from 'vitest'
import type { Store } from '../../sandbox/index.ts'
import type { Card } from '../../src/model/card.ts'
import { touchedReads } from '../../src/model/kept-reads.ts'
import type { Input, ParityCase } from './case.ts'
import { collectCases, titleOf } from './collect.ts'
import { openPlace } from './place.ts'
import { comparableData } from './run-case.ts'

const CASES_OF_CHANGE = 4
const INPUTS_OF_READ = 3

const place = await openPlace()
afterAll(() => place[Symbol.asyncDispose]())
const { cases } = await collectCases()
const cards = place.engine.catalog.all()
const reads = cards.filter(({ effect }) => effect === 'read')

/** Each change after which some reads stay in memory. */
const kept = cards.flatMap(change => {
  if (change.effect === 'read') return []
  const touched = touchedReads(change, reads)
  return touched
    ? [[change.id, change, reads.filter(({ id }) => !touched.includes(id))] as const]
    : []
})

const good = (card: Card): readonly ParityCase[] =>
  (cases.get(card.id) ?? []).filter(({ fails }) => fails === undefined)

interface Question {
  readonly read: Card
  readonly input: ParityCase['input']
  readonly given: ParityCase['given']
}

/** Calls that the world answers: cases that need nothing else, or else the first case of the read. */
const questions = new Map(
  reads.map(read => {
    const all = good(read)
    const plain = all.filter(({ given }) => given === undefined)
    const own = plain.length > 0 ? plain.slice(0, INPUTS_OF_READ) : all.slice(0, 1)
    return [read.id, own.map(({ input, given }): Question => ({ read, input, given }))]
  }),
)
const questionsOf = ({ id }: Card): readonly Question[] => questions.get(id) ?? []
const keptReads = new Set(kept.flatMap(([, , own]) => own))
const worldOf = (given: ParityCase['given']) => (store: Store) => {
  given?.(store)
  for (const read of keptReads) for (const question of questionsOf(read)) question.given?.(store)
}

function callOf(store: Store, input: ParityCase['input']): Input {
  return typeof input === 'function' ? input(store) : input
}

async function ask(store: Store, { read, input }: Question): Promise<unknown> {
  const answer = await place.call(read.id, callOf(store, input), read.routes[0]?.route ?? 'rest')
  return answer.envelope.ok ? comparableData(answer) : null
}

async function askAll(store: Store, questions: readonly Question[]): Promise<readonly unknown[]> {
  const answers: unknown[] = []
  for (const question of questions) answers.push(await ask(store, question))
  return answers
}

/** The answers of the world with which many cases begin. */
const seeded = new Map<Question, unknown>()

async function answersBefore(store: Store, { given }: ParityCase, asked: readonly Question[]) {
  if (given) return askAll(store, asked)
  for (const question of asked) {
    if (!seeded.has(question)) seeded.set(question, await ask(store, question))
  }
  return asked.map(question => seeded.get(question))
}

test('the GitHub pack keeps answers in memory after many of its changes', () => {
  expect(kept.length).toBeGreaterThan(60)
})

test.each([...keptReads].map(read => [read.id, read] as const))(
  'the world answers %s, which stays in memory',
  async (_id, read) => {
    const answers = await askAll(place.begin(worldOf(undefined)), questionsOf(read))
    expect(answers.filter(answer => answer !== null)).not.toEqual([])
  },
)

describe.each(kept)('%s', (_id, change, own) => {
  const asked = own.flatMap(questionsOf)
  test.each(
    good(change)
      .slice(0, CASES_OF_CHANGE)
      .map(one => [titleOf(one), one] as const),
  )(
    'leaves the answers in memory as they are: %s',
    async (_title, one) => {
      const store = place.begin(worldOf(one.given))
      const input = callOf(store, one.input)
      const before = await answersBefore(store, one, asked)
      const route = change.routes.find(it => !one.except?.[it.route])?.route ?? 'rest'
      const { envelope } = await place.call(change.id, input, route)
      expect(envelope.error).toBeNull()
      const after = await askAll(store, asked)
      const stale = asked.filter(
        (_, at) =>
          before[at] !== null && !Object.is(JSON.stringify(before[at]), JSON.stringify(after[at])),
      )
      expect(stale.map(({ read }) => read.id)).toEqual([])
    },
    60_000,
  )
})
