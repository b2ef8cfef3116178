import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Route } from '../../src/model/outcome.ts'
import { gh } from '../support/parts.ts'
import { differences } from './differences.ts'
import { type LifePlace, openLifePlace, type Reply } from './life-place.ts'
import { type Answers, life, type Step } from './pull-request-life.ts'
import { describeState } from './state.ts'
import { faultsOf, type Trouble, troubleFor } from './trouble.ts'

const ROUTES: readonly Route[] = gh.available ? ['rest', 'graphql', 'cli'] : ['rest', 'graphql']
/** Where a step is done that GitHub does not offer on a route. */
const INSTEAD = { rest: 'graphql', graphql: 'rest', cli: 'rest' } as const
const SEED = Number(process.env.LIFE_SEED ?? 1)
const RUNS = Number(process.env.LIFE_RUNS ?? 8)

interface Life {
  readonly answers: Answers
  readonly state: Readonly<Record<string, unknown>>
}

let place: LifePlace
/** All lives have to end like this one. */
let model: Life
beforeAll(async () => {
  place = await openLifePlace()
  model = await live(by('rest'))
})
afterAll(() => place[Symbol.asyncDispose]())

test.each(ROUTES)('a pull request lives one life by %s, where GitHub offers that', async route => {
  const lived = await live(by(route))
  expect(differences(model.answers, lived.answers)).toEqual([])
  expect(differences(model.state, lived.state)).toEqual([])
})

test('it lives the same life when routes break at every step', async () => {
  const each = life.map(step => [step.name, troubleFor(step, routesOf(step))] as const)
  const troubles = fc.record(Object.fromEntries(each), { noNullPrototype: true })
  const property = fc.asyncProperty(troubles, async befalling => {
    const lived = await live((step, input) => through(befalling[step.name], step, input))
    expect(differences(model.state, lived.state)).toEqual([])
  })
  // A failure tells the seed, and what befell each step: LIFE_SEED=… repeats it.
  await fc.assert(property, { seed: SEED, numRuns: RUNS, endOnFailure: true })
}, 120_000)

test('a merge whose answer is lost is told as in doubt, and not tried again', async () => {
  const merge = life.find(({ name }) => name === 'merge') as Step
  const before = life.slice(0, life.indexOf(merge))
  const { answers } = await live((step, input) => place.call(step, input), before)
  place.sandbox.faults.set(faultsOf({ how: 'cut after', on: ['graphql'] }, merge))
  const { envelope } = await place.call(merge, merge.input(answers))
  expect(envelope.error).toMatchObject({ write_outcome: 'unknown', next: { action: 'ask_human' } })
  expect(place.sandbox.log.rows().filter(row => row.operation === 'PrMerge')).toHaveLength(1)
})

test('a life with one comment more is seen to be another', async () => {
  const lived = await live(async (step, input) => {
    if (step.name === 'comment') await place.call(step, input)
    return place.call(step, input)
  })
  expect(differences(model.state, lived.state)).not.toEqual([])
})

type Way = (step: Step, input: Answers) => Promise<Reply>

/** Takes the steps on a fresh GitHub. Each of them has to be done in the end. */
async function live(way: Way, steps = life): Promise<Life> {
  const { sandbox } = place
  sandbox.reset()
  const answers: Record<string, unknown> = {}
  for (const step of steps) {
    const { status, envelope } = await way(step, step.input(answers))
    expect({ step: step.name, status, ...envelope }).toMatchObject({ status: 200, ok: true })
    answers[step.name] = envelope.data
  }
  return { answers, state: describeState(sandbox.store) }
}

/** On this route; what GitHub does not offer there is refused with the reason, and done on another. */
function by(route: Route): Way {
  return async (step, input) => {
    if (routesOf(step).includes(route)) return place.call(step, input, route)
    const seen = place.sandbox.log.rows().length
    const { status, envelope } = await place.call(step, input, route)
    expect(status).toBe(501)
    const message = expect.stringContaining(place.cardOf(step).not_offered?.[route] ?? 'a reason')
    const error = { code: 'ADAPTER_UNSUPPORTED', message, retryable: false }
    expect(envelope).toMatchObject({ ok: false, data: null, error, meta: { attempts: [{}] } })
    expect(place.sandbox.log.rows()).toHaveLength(seen)
    return place.call(step, input, INSTEAD[route])
  }
}

/** On whatever route the gateway finds, while some of them are broken. */
async function through(trouble: Trouble | null = null, step: Step, input: Answers): Promise<Reply> {
  const { faults, log } = place.sandbox
  faults.set(trouble ? faultsOf(trouble, step) : [])
  const seen = log.rows().length
  const reply = await place.call(step, input)
  faults.clear()
  const [preferred] = routesOf(step)
  if (!trouble || !preferred) return reply
  const struck = log
    .rows()
    .slice(seen)
    .filter(({ fault }) => fault)
  expect(struck.length > 0, `${step.name} has met its trouble`).toBe(trouble.on.includes(preferred))
  const { route_used, reason } = reply.envelope.meta
  // What a broken route has done after all is found again, and is its own.
  if (reason !== 'RECOVERED') expect(trouble.on).not.toContain(route_used)
  return reply
}

/** Those of its card that this machine has, in the order in which they are tried. */
function routesOf(step: Step): Route[] {
  return place
    .cardOf(step)
    .routes.map(({ route }) => route)
    .filter(route => ROUTES.includes(route))
}
