import type { Engine } from '../engine/engine.ts'
import type { Execution } from '../engine/execution.ts'
import { canonicalJson } from '../lib/canonical.ts'
import { valueAt } from '../lib/value-path.ts'
import { within } from '../lib/within.ts'
import { GATEWAY } from '../model/audit.ts'
import type { Card } from '../model/card.ts'
import type { Answer } from '../model/envelope.ts'
import type { ErrorCode } from '../model/errors.ts'
import type { ExecuteRequest } from '../model/execute-request.ts'
import type { Writers } from '../model/texts.ts'
import { type FoundWriters, type KnownPeople, NO_WRITERS } from '../state/writers.ts'

/** Makes a call of the gateway's own. */
export type Ask = (request: ExecuteRequest) => PromiseLike<Answer>

const KEPT_MS = 60_000

/** Failures that say what this credential may see, and so hold for a while. */
const LASTING: readonly ErrorCode[] = ['FORBIDDEN', 'NOT_FOUND', 'AUTH', 'VALIDATION']

/** The people who may write to the place of a call. Nobody, if it cannot be found out: then everybody counts as a stranger. */
export async function findWriters(
  engine: Engine,
  execution: Execution,
  { upstream }: Card,
  ask: Ask,
): Promise<KnownPeople> {
  const writers = upstream.texts?.writers ?? null
  const input = writers === null ? null : inputOf(writers, execution.asked)
  if (writers === null || input === null) return NO_WRITERS
  const { credential, clock, deadline } = execution
  const key = `${upstream.id} ${credential?.id} ${canonicalJson(input)}`
  const { knownWriters } = engine.state
  const finding = knownWriters.find(key, clock.now, () =>
    readWriters(engine, execution, writers, input, ask),
  )
  // The question may be that of another call, which has more time.
  return await within(finding, deadline.remaining(), 'no time').catch(() => ({
    ...NO_WRITERS,
    unanswered: { capability: writers.capability, code: 'TIMEOUT', requestId: null },
  }))
}

function inputOf({ input }: Writers, asked: Execution['asked']): object | null {
  try {
    const value = input({ input: asked ?? {} })
    return value !== null && typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

/** Longer lists end here; their other users count as strangers. */
const MOST_PAGES = 10

/** Reads the list of those who may write, as calls of their own, which the journal shows. */
async function readWriters(
  engine: Engine,
  execution: Execution,
  writers: Writers,
  input: object,
  ask: Ask,
): Promise<FoundWriters> {
  const logins = new Set<string>()
  const cursor = engine.catalog.get(writers.capability)?.page?.cursor
  let next: object | null = input
  for (let page = 0; page < MOST_PAGES && next !== null; page++) {
    const { envelope } = await ask(questionOf(execution, writers, next))
    if (!envelope.ok) {
      const { error, meta } = envelope
      const { code } = error
      const unanswered = { capability: writers.capability, code, requestId: meta.request_id }
      return { ...NO_WRITERS, unanswered, keepMs: keepFor(code) }
    }
    for (const login of loginsIn(writers, envelope.data)) logins.add(login.toLowerCase())
    const end = valueAt(envelope.data, 'pageInfo.endCursor')
    next = cursor !== undefined && typeof end === 'string' ? { ...input, [cursor]: end } : null
  }
  return { logins, unanswered: null, keepMs: KEPT_MS }
}

function keepFor(code: ErrorCode): number {
  return LASTING.includes(code) ? KEPT_MS : 0
}

/**
 * The gateway asks for itself, so no permission or limit of the key holds, and the record is not the key's. The credential is
 * that of the call.
 */
function questionOf(
  { request, deadline, id }: Execution,
  { capability }: Writers,
  input: object,
): ExecuteRequest {
  const { caller, upstreamToken, credential, correlationId = id } = request
  const { credentials } = caller
  return {
    capability,
    input,
    caller: { name: GATEWAY, operator: false, strangers: 'show', credentials },
    correlationId,
    withinMs: Math.max(1, deadline.remaining()),
    ...(upstreamToken === undefined ? {} : { upstreamToken }),
    ...(credential === undefined ? {} : { credential }),
  }
}

function loginsIn({ logins }: Writers, data: unknown): readonly string[] {
  try {
    const found = logins({ data })
    return Array.isArray(found) ? found.filter(login => typeof login === 'string') : []
  } catch {
    return []
  }
}
