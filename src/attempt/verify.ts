import type { Engine } from '../engine/engine.ts'
import type { Job } from '../engine/job.ts'
import { canonicalJson } from '../lib/canonical.ts'
import { Aborter } from '../lib/signal.ts'
import type { Card, Verify } from '../model/card.ts'
import type { Verdict } from '../model/outcome.ts'
import { planRoutes } from '../plan/plan.ts'
import { createHealth } from '../plan/route-health.ts'
import { KEPT_MS, type RecentWrite } from '../state/recent-writes.ts'
import { runPlan } from './run-plan.ts'

/**
 * Looks for the object that an ambiguous write would have made, with the read that the card names. Three
 * traps are avoided: what was made earlier or by somebody else is not ours; neither is what another write
 * of this credential has made, or may have; and absence proves nothing before the upstream has had time
 * to finish.
 */
export async function verifyWrite(engine: Engine, job: Job, since: number): Promise<Verdict> {
  const { verify } = job.card
  const reader = verify && engine.catalog.get(verify.capability)
  if (!verify || !reader) return { kind: 'unknown' }
  const settledAt = engine.clock.monotonic() + verify.settlesMs
  const viewer = verify.viewer === null ? null : await readLogin(engine, job, verify.viewer)
  if (verify.viewer !== null && viewer === null) return { kind: 'unknown' }
  for (;;) {
    const isSettled = engine.clock.monotonic() >= settledAt
    const data = await read(engine, job, reader, verify.input({ input: job.input }))
    if (data === null) return { kind: 'unknown' }
    const others = await engine.state.recentWrites.besides(job, engine.clock.now())
    const sight = { card: job.card, verify, viewer, since, data }
    const judged = judge(sight, job.input, others ?? [])
    // What another gateway may have made as well is not claimed.
    const verdict: Verdict = others || judged.kind !== 'found' ? judged : { kind: 'unknown' }
    if (verdict.kind === 'found' || isSettled) return verdict
    // Absence does not count yet, and a twin may still come to know what it has made: look again then.
    const wait = Math.max(0, settledAt - engine.clock.monotonic())
    if (wait >= job.deadline.remaining() - engine.policy.reserveMs) return { kind: 'unknown' }
    await engine.clock.sleep(wait, NEVER)
  }
}

const NEVER = new Aborter()

/** What was read, and how to look at it. */
interface Sight {
  readonly card: Card
  readonly verify: Verify
  /** The login of our credential's user; null when authors are not compared. */
  readonly viewer: string | null
  /** Epoch milliseconds at which the write can have begun. */
  readonly since: number
  readonly data: unknown
}

function judge(sight: Sight, input: Job['input'], others: readonly RecentWrite[]): Verdict {
  const { card, since } = sight
  const alike = findRecent(sight, input)
  const makerOf = (value: unknown) => others.find(other => hasMade(card, other, value))
  const makers = alike.map(makerOf)
  const ours = alike.filter((_, index) => !makers[index])
  const [only] = ours
  if (!only) return reachesBack(sight) ? { kind: 'absent' } : { kind: 'unknown' }
  const open = others.filter(other => !makers.includes(other))
  const doubtful = ours.length > 1 || open.some(other => mayHaveMade(sight, other, only))
  // Upstreams round to seconds. What seems older than the request may be just that.
  const isOlder = !(createdAt(sight, only) >= Math.floor(since / 1000) * 1000)
  return doubtful || isOlder ? { kind: 'unknown' } : { kind: 'found', data: pick(card, only) }
}

/** The objects that look as if this input had made them, by our credential's user and not long ago. */
function findRecent(sight: Sight, input: Job['input']): unknown[] {
  const { verify, viewer, since, data } = sight
  return [verify.found({ input, data }) ?? []]
    .flat()
    .filter(value => viewer === null || verify.author?.(value as never) === viewer)
    .filter(value => !(createdAt(sight, value) < since - KEPT_MS))
}

/** The other write was answered with this very object. */
function hasMade(card: Card, { data }: RecentWrite, value: unknown): boolean {
  return data !== null && canonicalJson(data) === canonicalJson(pick(card, value))
}

/** Would the other write, should it come to verify itself, take the object for its own? */
function mayHaveMade(sight: Sight, { input }: RecentWrite, value: unknown): boolean {
  if (input === null) return true
  // A card may make its objects anew each time, so they are compared by what they say.
  const text = canonicalJson(value)
  return findRecent(sight, input).some(found => canonicalJson(found) === text)
}

/**
 * Whether the list goes back to a time before the write. One that ends sooner may hide what is looked for,
 * and so may one that begins with the oldest.
 */
function reachesBack(sight: Sight): boolean {
  const { items = [], pageInfo } = sight.data as Partial<ListData>
  if (!pageInfo?.hasNextPage) return true
  const [first, last] = [createdAt(sight, items[0]), createdAt(sight, items.at(-1))]
  return first > last && last < sight.since - KEPT_MS
}

interface ListData {
  readonly items: readonly unknown[]
  readonly pageInfo: { readonly hasNextPage: boolean }
}

/** Epoch milliseconds; NaN when the upstream does not say. */
function createdAt({ verify }: Sight, value: unknown): number {
  return Date.parse(String(verify.created(value as never)))
}

/** The members that the output of the write has; the object read may have more. */
function pick(card: Card, value: unknown): unknown {
  const names = Object.keys((card.output.properties ?? {}) as object)
  return Object.fromEntries(names.map(name => [name, (value as Record<string, unknown>)[name]]))
}

async function readLogin(engine: Engine, job: Job, capability: string): Promise<string | null> {
  const card = engine.catalog.get(capability)
  const data = card ? await read(engine, job, card, {}) : null
  const login = (data as { login?: unknown } | null)?.login
  return typeof login === 'string' ? login : null
}

/** Runs a read within the same deadline and adds its attempts to the request's own. Null when it failed. */
async function read(engine: Engine, job: Job, card: Card, input: unknown): Promise<unknown> {
  const health = await createHealth(engine, card, job.credential, null)
  const asked = card.parseInput(input)
  const hasCredential = job.credential !== null
  const request = { input: asked, pin: null, cursorRoute: null, hasCredential }
  const plan = planRoutes(card, request, health)
  if (plan.candidates.length === 0) return null
  const outcome = await runPlan(engine, {
    ...job,
    card,
    plan,
    input: asked,
    signal: NEVER,
    purpose: 'verify',
    verify: async () => ({ kind: 'unknown' }),
  })
  return outcome.ok ? outcome.data : null
}
