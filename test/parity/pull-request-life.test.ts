import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Route } from '../../src/model/route.ts'
import { gh } from '../support/parts.ts'
import { differences } from './differences.ts'
import { type LifePlace, openLifePlace, type Reply } from './life-place.ts'
import { type Answers, life, type Step } from './pull-request-life.ts'
import { describeState } from './state.ts'
import { faultsOf, type Trouble, troubleFor } from './trouble.ts'

const ROUTES: readonly Route[] = gh.available ? ['rest', 'graphql', 'cli'] : ['rest', 'graphql']
/** The route to use for a step that GitHub does not offer on the first one. */
const INSTEAD = { rest: 'graphql', graphql: 'rest', cli: 'rest' } as const
const SEED = Number(process.env.LIFE_SEED ?? 1)
const RUNS = Number(process.env.LIFE_RUNS ?? 8)

interface Life {
  readonly answers: Answers
  readonly state: Readonly<Record<string, unknown>>
}

let place: LifePlace
/** Every other life must end in the same state. */
let model: Life
beforeAll(async () => {
  place = await openLifePlace()
  model = await live(by('rest'))
})
afterAll(() => place[Symbol.asyncDispose]())

test.each(ROUTES)(
  'a pull request has the same life on %s, for steps that GitHub offers there',
  async route => {
    const lived = await live(by(route))
    expect(differences(model.answers, lived.answers)).toEqual([])
    expect(differences(model.state, lived.state)).toEqual([])
  },
)

test('a pull request has the same life when routes fail at every step', async () => {
  const each = life.map(step => [step.name, troubleFor(step, routesOf(step))] as const)
  const troubles = fc.record(Object.fromEntries(each), { noNullPrototype: true })
  const property = fc.asyncProperty(troubles, async troubleOf => {
    const lived = await live((step, input) => through(troubleOf[step.name], step, input))
    expect(differences(model.state, lived.state)).toEqual([])
  })
  // A failure reports the seed and the faults of each step. LIFE_SEED=… repeats it.
  await fc.assert(property, { seed: SEED, numRuns: RUNS, endOnFailure: true })
}, 120_000)

test('a merge whose answer is lost is found, and not retried', async () => {
  const merge = life.find(({ name }) => name === 'merge') as Step
  const before = life.slice(0, life.indexOf(merge))
  const { answers } = await live((step, input) => place.call(step, input), before)
  place.sandbox.faults.set(faultsOf({ how: 'cut after', on: ['graphql'] }, merge))
  const { envelope } = await place.call(merge, merge.input(answers))
  expect(envelope).toMatchObject({ ok: true, meta: { reason: 'RECOVERED' } })
  expect(place.sandbox.log.rows().filter(row => row.operation === 'PrMerge')).toHaveLength(1)
})

test('one more comment makes a different life', async () => {
  const lived = await live(async (step, input) => {
    if (step.name === 'comment') await place.call(step, input)
    return place.call(step, input)
  })
  expect(differences(model.state, lived.state)).not.toEqual([])
})

type Way = (step: Step, input: Answers) => Promise<Reply>

/** Runs the steps on a reset sandbox. Every step must succeed. */
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

/** Uses this route. It must refuse a step that GitHub does not offer there; another route then runs it. */
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

/** Lets the gateway choose a route while some routes fail. */
async function through(trouble: Trouble | null = null, step: Step, input: Answers): Promise<Reply> {
  const { faults, log } = place.sandbox
  faults.set(trouble ? faultsOf(trouble, step) : [])
  const seen = log.rows().length
  const reply = await place.call(step, input)
  faults.clear()
  const [preferred] = routesOf(step)
  if (!trouble || !preferred) return reply
  const hits = log
    .rows()
    .slice(seen)
    .filter(({ fault }) => fault)
  expect(hits.length > 0, `${step.name} was hit by a fault`).toBe(trouble.on.includes(preferred))
  const { route_used, reason } = reply.envelope.meta
  // A recovered write was made by the failing route.
  if (reason !== 'RECOVERED') expect(trouble.on).not.toContain(route_used)
  return reply
}

/** The routes of the step's card that this machine can run, in the order of the card. */
function routesOf(step: Step): Route[] {
  return place
    .cardOf(step)
    .routes.map(({ route }) => route)
    .filter(route => ROUTES.includes(route))
}
