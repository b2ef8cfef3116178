import { beginRun, type Run } from '../engine/run.ts'
import { canonicalJson } from '../lib/canonical.ts'
import { NEVER } from '../lib/signal.ts'
import type { Card, Verify } from '../model/card.ts'
import { decodeCursor } from '../model/cursor.ts'
import type { Verdict } from '../model/outcome.ts'
import { verifyCallOf } from '../model/read-call.ts'
import type { Route } from '../model/route.ts'
import type { Warning } from '../model/warnings.ts'
import { planRoutes } from '../plan/plan.ts'
import { createHealth } from '../plan/route-health.ts'
import { type RecentWrite, WRITE_KEPT_MS } from '../state/recent-writes.ts'
import { runPlan } from './run-plan.ts'

/**
 * Looks for the object that an ambiguous write would have made, with the read that the card names. It avoids three
 * traps: an object made earlier or by another user is not ours; neither is one that another write of this
 * credential made, or may have made; and absence proves nothing until the upstream has had time to finish.
 */
export async function verifyWrite(run: Run, since: number): Promise<Verdict> {
  const { verify } = run.card
  const reader = verify && run.engine.catalog.get(verify.capability)
  if (!verify || !reader) return { kind: 'unknown' }
  const settledAt = run.engine.clock.monotonic() + verify.settlesMs
  const viewer = verify.viewer === null ? null : await readLogin(run, verify.viewer)
  if (verify.viewer !== null && viewer === null) return { kind: 'unknown' }
  return await look(run, reader, { verify, viewer, since }, settledAt)
}

/** Reads and judges until the object is found or its absence counts. */
async function look(
  run: Run,
  reader: Card,
  sought: Pick<Evidence, 'verify' | 'viewer' | 'since'>,
  settledAt: number,
): Promise<Verdict> {
  const { engine, card } = run
  for (;;) {
    const isSettled = engine.clock.monotonic() >= settledAt
    const data = await readBack(run, reader, sought)
    if (data === null) return { kind: 'unknown' }
    const verdict = await judge(run, { ...sought, card, data })
    if (verdict.kind === 'found' || isSettled) return verdict
    // Absence does not count yet, and a concurrent write may still learn which object is its own: look again.
    const wait = Math.max(0, settledAt - engine.clock.monotonic())
    if (!hasTimeFor(run, wait)) return { kind: 'unknown' }
    await engine.clock.sleep(wait, NEVER)
  }
}

/** The most pages of a list to read for one look. */
const MOST_PAGES = 10

/** Reads on until the list reaches back to before the write: one sorted oldest first has our object on its last page. */
async function readBack(
  run: Run,
  reader: Card,
  sought: Pick<Evidence, 'verify' | 'viewer' | 'since'>,
): Promise<unknown> {
  const call = verifyCallOf(run.card, run.input, sought.since)
  const input = call?.input as Readonly<Record<string, unknown>>
  let data = await read(run, reader, input)
  for (let pages = 1; data !== null && pages < MOST_PAGES; pages++) {
    if (!reader.page || reachesBack({ ...sought, data }) || !hasTimeFor(run, 0)) break
    const { cursor } = reader.page
    const end = decodeCursor(String((data as ListData).pageInfo.endCursor), cursor)
    const next = await read(run, reader, { ...input, [cursor]: end.value }, end.route)
    data = next && joinPages(data as ListData, next as ListData)
  }
  return data
}

function joinPages(before: ListData, after: ListData): ListData {
  return { ...after, items: [...before.items, ...after.items] }
}

function hasTimeFor({ deadline, engine }: Run, wait: number): boolean {
  return wait < deadline.remaining() - engine.policy.reserveMs
}

/** The answer of the verifying read, and what to compare it with. */
interface Evidence {
  readonly card: Card
  readonly verify: Verify
  /** The login of our credential's user; null when the card does not compare authors. */
  readonly viewer: string | null
  /** Epoch milliseconds; the write began no earlier. */
  readonly since: number
  readonly data: unknown
}

async function judge(run: Run, evidence: Evidence): Promise<Verdict> {
  const known = await run.engine.state.recentWrites.others(run, run.engine.clock.now())
  const others = known && withoutInterrupted(known, run, evidence)
  const verdict = attribute(evidence, run.input, others ?? [])
  // Without the writes of other gateways, the object could be one of theirs.
  return others === null && verdict.kind === 'found' ? { kind: 'unknown' } : verdict
}

/**
 * Leaves out what the interrupted request has published itself. The process that died may have known its object already: taken
 * for that of another write, it would be made again.
 */
function withoutInterrupted(
  others: readonly RecentWrite[],
  run: Pick<Run, 'time'>,
  { since }: Evidence,
): readonly RecentWrite[] {
  return since === run.time ? others : others.filter(({ time }) => time !== since)
}

/** Decides whether one of the objects in the answer is this write's own. */
function attribute(
  evidence: Evidence,
  input: Run['input'],
  others: readonly RecentWrite[],
): Verdict {
  const alike = findRecent(evidence, input)
  const makers = alike.map(value => others.find(other => hasMade(evidence, other, value)))
  // Somebody has changed the object since it was made, or the upstream gives an id twice: it could be anybody's.
  const isOdd = alike.some((value, index) => {
    const maker = makers[index]
    return maker && !mayHaveMade(evidence, maker, value)
  })
  const ours = alike.filter((_, index) => !makers[index])
  const [only] = ours
  if (isOdd || ours.length > 1) return { kind: 'unknown' }
  if (!only) return reachesBack(evidence) ? { kind: 'absent' } : { kind: 'unknown' }
  const open = others.filter(other => !makers.includes(other))
  return isOurs(evidence, open, only)
    ? { kind: 'found', data: describe(evidence.card, only) }
    : { kind: 'unknown' }
}

/** Whether no other write may have made the object, and it is no older than ours. */
function isOurs(evidence: Evidence, open: readonly RecentWrite[], value: unknown): boolean {
  if (open.some(other => mayHaveMade(evidence, other, value))) return false
  // Upstreams round to seconds: an object that seems a little older than the request may still be ours.
  return createdAt(evidence, value) >= Math.floor(evidence.since / 1000) * 1000
}

/** The objects that this input could have made, by our credential's user and recently. */
function findRecent(evidence: Evidence, input: Run['input']): unknown[] {
  const { verify, viewer, since, data } = evidence
  return [verify.found({ input, data }) ?? []]
    .flat()
    .filter(value => viewer === null || isLogin(verify.author?.(value as never), viewer))
    .filter(value => !(createdAt(evidence, value) < since - WRITE_KEPT_MS))
}

/**
 * Whether two logins are of one account. GitHub's APIs do not agree on whether that of an app ends with `[bot]`, and an
 * object of ours that is not recognized would be made again.
 */
function isLogin(one: unknown, other: string): boolean {
  return typeof one === 'string' && withoutBot(one) === withoutBot(other)
}

function withoutBot(login: string): string {
  return login.replace(/\[bot\]$/, '')
}

/**
 * Whether the other write's answer was this very object. Compare only what identifies it: the answer may say more than
 * the read shows, and somebody may have changed the rest since.
 */
function hasMade({ verify }: Evidence, { data }: RecentWrite, value: unknown): boolean {
  const members = Object.values(pick(verify.identity, data ?? {}))
  return members.some(member => (member ?? null) !== null) && isSame(verify, data, value)
}

/** Whether the other write, if it verified itself, would take the object for its own. */
function mayHaveMade(evidence: Evidence, { input }: RecentWrite, value: unknown): boolean {
  // `found` may build new objects each time, with members of the input.
  return (
    input === null ||
    findRecent(evidence, input).some(found => isSame(evidence.verify, found, value))
  )
}

function isSame({ identity }: Verify, one: unknown, other: unknown): boolean {
  return canonicalJson(pick(identity, one)) === canonicalJson(pick(identity, other))
}

/** Whether the list reaches back to before the write. A shorter one may hide the object, or one sorted oldest first. */
function reachesBack(evidence: Pick<Evidence, 'verify' | 'since' | 'data'>): boolean {
  const { items = [], pageInfo } = evidence.data as Partial<ListData>
  if (!pageInfo?.hasNextPage) return true
  const [first, last] = [createdAt(evidence, items[0]), createdAt(evidence, items.at(-1))]
  return first > last && last < evidence.since - WRITE_KEPT_MS
}

interface ListData {
  readonly items: readonly unknown[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

/** Epoch milliseconds; NaN when the upstream gives no time. */
function createdAt({ verify }: Pick<Evidence, 'verify'>, value: unknown): number {
  return Date.parse(String(verify.created(value as never)))
}

/** The members that the output of the write has; the object that was read may have more. */
function describe(card: Card, value: unknown): unknown {
  return pick(Object.keys((card.output.properties ?? {}) as object), value)
}

function pick(names: readonly string[], value: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.map(name => [name, (value as Record<string, unknown>)[name]]))
}

async function readLogin(run: Run, capability: string): Promise<string | null> {
  const card = run.engine.catalog.get(capability)
  const data = card ? await read(run, card, {}) : null
  const login = (data as { login?: unknown } | null)?.login
  return typeof login === 'string' ? login : null
}

/**
 * Runs a read within the same deadline and adds its attempts to the request's own. Null when it fails, or answers only
 * in part.
 * @param cursorRoute the route that made the cursor in the input
 */
async function read(
  run: Run,
  card: Card,
  input: unknown,
  cursorRoute: Route | null = null,
): Promise<unknown> {
  const { engine, credential } = run
  const health = await createHealth(engine, card, credential, null)
  const request = {
    input: card.parseInput(input),
    pin: null,
    cursorRoute,
  }
  const plan = planRoutes(card, request, health)
  if (plan.candidates.length === 0) return null
  const warnings: Warning[] = []
  const reading = beginRun({
    ...run,
    warnings,
    card,
    plan,
    input: request.input,
    signal: NEVER,
    purpose: 'verify',
    verify: async () => ({ kind: 'unknown' }),
  })
  const outcome = await runPlan(reading)
  run.warnings.push(...warnings)
  // Our object could be among those that such an answer leaves out.
  const isPartial = warnings.some(({ code }) => code === 'PARTIAL_RESULTS')
  return outcome.ok && !isPartial ? outcome.data : null
}
