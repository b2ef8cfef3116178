import type { Card } from '../../src/model/card.ts'
import type { Answer } from '../../src/model/envelope.ts'
import type { Route } from '../../src/model/outcome.ts'
import type { Input, ParityCase } from './case.ts'
import { differences } from './differences.ts'
import type { Place } from './place.ts'
import { describeState } from './state.ts'

/** Route → where it differs from what the case says, or from the route before it; empty when it does not. */
export type Findings = Partial<Record<Route, readonly string[]>>

interface Run {
  readonly answer: Answer
  readonly before: unknown
  readonly after: unknown
  readonly repeated: unknown
}

/** Runs one case on each route that its card has and this place too. */
export async function runCase(place: Place, card: Card, parityCase: ParityCase): Promise<Findings> {
  const findings: Findings = {}
  let model: Run | null = null
  for (const { route } of card.routes) {
    if (!place.routes.includes(route)) continue
    const run = await runOn(place, card, parityCase, route)
    const own = isExcepted(parityCase, route) ? refusal(run) : faults(card, parityCase, run)
    const comparable = own.length === 0 && !isExcepted(parityCase, route)
    findings[route] = comparable && model ? compare(model, run) : own
    if (comparable) model ??= run
  }
  return findings
}

export function inputOf(
  place: Place,
  { input, given }: Pick<ParityCase, 'input' | 'given'>,
): Input {
  const store = place.begin(given)
  return typeof input === 'function' ? input(store) : input
}

/** `data` without cursors, which are each route's own. */
export function comparableData({ envelope }: Answer): unknown {
  return JSON.parse(
    JSON.stringify(envelope.data, (key, value: unknown) =>
      key === 'endCursor' && value !== null ? 'a cursor' : value,
    ),
  )
}

function isExcepted({ except }: ParityCase, route: Route): boolean {
  return except?.[route] !== undefined
}

async function runOn(place: Place, card: Card, parityCase: ParityCase, route: Route): Promise<Run> {
  const store = place.begin(parityCase.given)
  const { input } = parityCase
  const given = typeof input === 'function' ? input(store) : input
  const before = describeState(store)
  const answer = await place.call(card.id, given, route)
  const after = describeState(store)
  // A repeat says as much on one route as on another; by gh it takes longest.
  const isRepeated = card.effect === 'idempotent' && answer.envelope.ok && route !== 'cli'
  if (isRepeated) await place.call(card.id, given, route)
  return { answer, before, after, repeated: isRepeated ? describeState(store) : after }
}

/** A route that cannot serve an input says so, before anything is sent. */
function refusal({ answer, before, after }: Run): string[] {
  const { error } = answer.envelope
  if (error?.code !== 'ADAPTER_UNSUPPORTED')
    return [`answers ${told(answer)} instead of ADAPTER_UNSUPPORTED`]
  return inState(before, after, 'changes the state')
}

/** What is wrong with a run by itself. */
function faults(card: Card, { fails }: ParityCase, run: Run): string[] {
  const { error } = run.answer.envelope
  if ((error?.code ?? null) !== (fails ?? null)) {
    return [`answers ${told(run.answer)} instead of ${fails ?? 'data'}`]
  }
  if (card.effect === 'read') return inState(run.before, run.after, 'a read changes the state')
  return inState(run.after, run.repeated, 'a repeat changes the state further')
}

function compare(model: Run, run: Run): string[] {
  return [
    ...differences(comparableData(model.answer), comparableData(run.answer)).map(
      place => `data.${place}`,
    ),
    ...inState(model.after, run.after, 'leaves another state'),
  ]
}

function inState(expected: unknown, actual: unknown, what: string): string[] {
  return differences(expected, actual).map(place => `${what}: ${place}`)
}

function told({ envelope: { error } }: Answer): string {
  return error ? `${error.code} (${error.message})` : 'data'
}
