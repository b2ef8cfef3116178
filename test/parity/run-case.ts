import type { Store } from '../../sandbox/index.ts'
import type { Card } from '../../src/model/card.ts'
import type { Answer } from '../../src/model/envelope.ts'
import type { Route } from '../../src/model/route.ts'
import type { Data, Input, ParityCase } from './case.ts'
import { differences } from './differences.ts'
import type { Place } from './place.ts'
import { createGitData, describeState } from './state.ts'

/** Route → its differences from the case's expectations, or from the first route. Empty if there are none. */
export type Findings = Partial<Record<Route, readonly string[]>>

interface Run {
  readonly answer: Answer
  readonly before: unknown
  readonly after: unknown
  readonly repeated: unknown
  /** Differences that the case's own checks miss. */
  readonly unseen: readonly string[]
}

/** Runs one case on each route that both the card and the place have. */
export async function runCase(place: Place, card: Card, parityCase: ParityCase): Promise<Findings> {
  const findings: Findings = {}
  let before: unknown = null
  let model: Run | null = null
  for (const { route } of card.routes) {
    if (!place.routes.includes(route)) continue
    const run = await runOn(place, card, parityCase, route, before)
    before = run.before
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

/** `data` without cursors, which differ between routes. */
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

/** @param known the state before the call, which is the same on every route; null on the first. */
async function runOn(
  place: Place,
  card: Card,
  parityCase: ParityCase,
  route: Route,
  known: unknown,
): Promise<Run> {
  const store = place.begin(parityCase.given)
  const { input } = parityCase
  const given = typeof input === 'function' ? input(store) : input
  createGitData(store)
  const before = known ?? describeState(store)
  const answer = await place.call(card.id, given, route)
  const after = describeState(store)
  const unseen = answer.envelope.ok ? unseenBy(parityCase, answer.envelope.data as Data, store) : []
  // Repeating on the other routes is enough, and `gh` is slow.
  const isRepeated = card.effect === 'idempotent' && answer.envelope.ok && route !== 'cli'
  if (isRepeated) await place.call(card.id, given, route)
  return { answer, before, after, repeated: isRepeated ? describeState(store) : after, unseen }
}

function unseenBy({ answers, leaves }: ParityCase, data: Data, store: Store): string[] {
  const look = (what: string, see: unknown, seen: unknown) =>
    differences(see, seen).map(place => `${what} ${place}`)
  return [
    ...(answers ? look('answers', answers.see, answers.look(data)) : []),
    ...(leaves ? look('leaves', leaves.see, leaves.look(store)) : []),
  ]
}

/** Checks that a route refuses an input that it cannot serve, and changes nothing. */
function refusal({ answer, before, after }: Run): string[] {
  const { error } = answer.envelope
  if (error?.code !== 'ADAPTER_UNSUPPORTED')
    return [`answers ${resultOf(answer)} instead of ADAPTER_UNSUPPORTED`]
  return inState(before, after, 'changes the state')
}

/** Checks a run on its own, without comparing routes. */
function faults(card: Card, { fails }: ParityCase, run: Run): string[] {
  const { error } = run.answer.envelope
  if ((error?.code ?? null) !== (fails ?? null)) {
    return [`answers ${resultOf(run.answer)} instead of ${fails ?? 'data'}`]
  }
  if (run.unseen.length > 0) return [...run.unseen]
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

function resultOf({ envelope: { error } }: Answer): string {
  return error ? `${error.code} (${error.message})` : 'data'
}
