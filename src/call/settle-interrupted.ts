import { unsentFollowUps } from '../attempt/follow-ups.ts'
import type { Run } from '../engine/run.ts'
import type { RequestRow } from '../journal/row-schemas.ts'
import { createFailure } from '../model/failure.ts'
import type { Outcome, Verdict } from '../model/outcome.ts'
import type { Route } from '../model/route.ts'
import { WRITE_KEPT_MS } from '../state/recent-writes.ts'

/**
 * Finds out what became of a change whose gateway died while it was in flight.
 * @param time when its request began; epoch milliseconds
 * @returns null when the change may be sent (again)
 */
export async function settleInterrupted(run: Run, time: number): Promise<Outcome | null> {
  if (run.card.effect !== 'write') return null
  const route = run.plan.candidates[0]?.route ?? null
  const verdict = await findOut(run, time)
  switch (verdict.kind) {
    case 'absent':
      return null
    case 'found':
      warnOfSteps(run, route)
      return { ok: true, data: verdict.data, route: route ?? 'rest', reason: 'RECOVERED' }
    case 'unknown':
      return { ok: false, failure: INTERRUPTED, route, reason: 'WRITE_OUTCOME_UNKNOWN' }
  }
}

/** The gateway that died may have sent some of the requests that follow the change. */
function warnOfSteps({ card, warnings, input }: Run, route: Route | null): void {
  const followUps = card.routes.find(own => own.route === route)?.followUps ?? []
  warnings.push(...unsentFollowUps(followUps, input, mayBeUnsent))
}

function mayBeUnsent(request: string): string {
  return `${request} may not have been sent, as the gateway stopped.`
}

const INTERRUPTED = createFailure(
  'UNKNOWN',
  'The gateway stopped while the first request with this Idempotency-Key was in flight; whether it was applied is not known.',
  { source: 'gateway' },
)

async function findOut(run: Run, time: number): Promise<Verdict> {
  if (!run.card.verify) return { kind: 'unknown' }
  const verdict = await run.verify(time)
  if (verdict.kind !== 'found' || !(await othersMayHaveMadeIt(run, time))) return verdict
  return { kind: 'unknown' }
}

/** The most writes to look at; with more of them, one may well have made the object. */
const MOST_WRITES = 200

/**
 * Whether another write of the capability may have made the object that was found. The gateway that died took its
 * memory of recent writes with it, unless Redis has it: the journal knows which there were, but not what they made.
 */
async function othersMayHaveMadeIt({ engine, card }: Run, time: number): Promise<boolean> {
  const { state, journal } = engine
  if (state.recentWrites.otherGateways) return false
  const filter = { capability: card.id, since: time - WRITE_KEPT_MS, until: state.startedAt }
  try {
    const { items, pageInfo } = await journal.requests(filter, { limit: MOST_WRITES })
    return pageInfo.hasNextPage || items.some(row => isAnother(row, time) && mayHaveMade(row))
  } catch {
    return true
  }
}

/** Recovering an interrupted change adds a row with its own time to the journal. */
function isAnother(row: RequestRow, time: number): boolean {
  return Date.parse(row.time) !== time
}

function mayHaveMade({ ok, write_outcome }: RequestRow): boolean {
  return ok || write_outcome === 'applied' || write_outcome === 'unknown'
}
