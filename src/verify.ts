import type { Card } from './cards/card.ts'
import type { Engine } from './engine.ts'
import { createHealth } from './health.ts'
import type { Job, Verdict } from './job.ts'
import { planRoutes } from './plan.ts'
import { runPlan } from './run-plan.ts'

/** Clocks of the gateway and the upstream agree only so far, and upstreams round to seconds. */
const CLOCK_TOLERANCE_MS = 2_000

/**
 * Looks for the object that an ambiguous write would have made, with the read that the card names. Two
 * traps are avoided: a twin made earlier or by somebody else is not ours, and absence proves nothing
 * before the upstream has had time to finish.
 */
export async function verifyWrite(engine: Engine, job: Job, since: number): Promise<Verdict> {
  const { verify } = job.card
  const reader = verify && engine.catalog.get(verify.capability)
  if (!verify || !reader) return { kind: 'unknown' }
  const viewer = verify.viewer === null ? null : await readLogin(engine, job, verify.viewer)
  if (verify.viewer !== null && viewer === null) return { kind: 'unknown' }
  const settledAt = engine.clock.monotonic() + verify.settlesMs
  for (;;) {
    const data = await read(engine, job, reader, verify.input({ input: job.input }))
    if (data === null) return { kind: 'unknown' }
    const verdict = judge(job.card, since, matches(job.card, job.input, data, viewer))
    if (verdict.kind !== 'absent' || engine.clock.monotonic() >= settledAt) return verdict
    // Absence does not count yet. Look again when it does, if there is time left for it.
    const wait = settledAt - engine.clock.monotonic()
    if (wait >= job.deadline.remaining() - engine.policy.reserveMs) return { kind: 'unknown' }
    await engine.clock.sleep(wait, NEVER)
  }
}

const NEVER = new AbortController().signal

interface Match {
  readonly value: unknown
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** The objects that look like ours and were made by our credential's user. */
function matches(card: Card, input: Job['input'], data: unknown, viewer: string | null): Match[] {
  const { verify } = card
  const found: unknown = verify?.found({ input, data })
  const candidates = Array.isArray(found)
    ? found
    : found === null || found === undefined
      ? []
      : [found]
  return candidates
    .filter(value => viewer === null || verify?.author?.(value as never) === viewer)
    .map((value: unknown) => ({
      value,
      createdAt: Date.parse(String(verify?.created(value as never))),
    }))
}

function judge(card: Card, since: number, found: readonly Match[]): Verdict {
  const recent = found.filter(({ createdAt }) => !(createdAt < since - CLOCK_TOLERANCE_MS))
  const [only] = recent
  if (!only) return { kind: 'absent' }
  // Made so close to the start that it may be older than the request; or more than one: nobody can tell.
  const ambiguous = recent.length > 1 || !(only.createdAt >= Math.floor(since / 1000) * 1000)
  return ambiguous ? { kind: 'unknown' } : { kind: 'found', data: pick(card, only.value) }
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
  const health = await createHealth(engine, card, job.credential)
  const request = { pin: null, cursorRoute: null, hasCredential: job.credential !== null }
  const plan = planRoutes(card, request, health)
  if (plan.candidates.length === 0) return null
  const outcome = await runPlan(engine, {
    ...job,
    card,
    plan,
    input: card.parseInput(input),
    signal: NEVER,
    verify: async () => ({ kind: 'unknown' }),
  })
  return outcome.ok ? outcome.data : null
}
