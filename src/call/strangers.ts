import { type Tally, type TreatedTexts, type Treatment, treatTexts } from '../answer/treat-texts.ts'
import type { Engine } from '../engine/engine.ts'
import type { Execution } from '../engine/execution.ts'
import { canonicalJson } from '../lib/canonical.ts'
import { JsonText } from '../lib/json-text.ts'
import { valueAt } from '../lib/value-path.ts'
import { within } from '../lib/within.ts'
import type { Card } from '../model/card.ts'
import { type Answer, withWarnings } from '../model/envelope.ts'
import type { ErrorCode } from '../model/errors.ts'
import type { ExecuteRequest } from '../model/execute-request.ts'
import type { Writers } from '../model/texts.ts'
import { createWarning, type Warning } from '../model/warnings.ts'
import type { FoundWriters, WriterLogins } from '../state/writers.ts'

/** Makes a call of the gateway's own. */
type Ask = (request: ExecuteRequest) => Promise<Answer>

/**
 * Treats the words of strangers in an answer as the caller's key says. Memory, Idempotency-Keys and shared runs keep the
 * answer as the service gave it, because another caller may have another key.
 */
export async function treatStrangers(
  engine: Engine,
  execution: Execution,
  answer: Answer,
  ask: Ask,
): Promise<Answer> {
  const { card, request } = execution
  const { strangers = 'mark' } = request.caller
  if (!card || !answer.envelope.ok || strangers === 'show') return answer
  const { root, isStated, hasAuthors } = card.texts
  if (root === null || (strangers === 'mark' && !isStated)) return answer
  const isAsked = strangers === 'hide' && hasAuthors
  const writers = isAsked ? await findWriters(engine, execution, card, ask) : NOBODY
  const treatment = treatmentOf(execution, card, strangers, writers)
  return withTreated(answer, treatTexts(answer.envelope.data, root, treatment))
}

const NOBODY: WriterLogins = new Set()

function treatmentOf(
  { asked }: Execution,
  { effect }: Card,
  strangers: Treatment['strangers'],
  writers: WriterLogins,
): Treatment {
  return {
    strangers,
    mayWrite: login => writers.has(login.toLowerCase()),
    isOwn: effect === 'read' ? () => false : ownTexts(asked),
    input: asked,
  }
}

function withTreated(answer: Answer, treated: TreatedTexts): Answer {
  const warnings = warningsOf(treated)
  const { envelope } = answer
  const { marked, data } = treated
  if (marked.size === 0 && warnings.length === 0) return answer
  const untrusted = marked.size === 0 ? {} : { untrusted: [...marked] }
  const meta = { ...envelope.meta, ...untrusted }
  const changed = withWarnings({ ...envelope, data, meta } as Answer['envelope'], warnings)
  return { ...answer, envelope: changed, metaJson: new JsonText(changed.meta) }
}

function warningsOf({ removed, left, comments, hidden }: TreatedTexts): readonly Warning[] {
  return [
    warn('TEXT_HIDDEN', hidden, 'texts by authors without write access were left out'),
    warn('INVISIBLE_TEXT', removed, 'invisible characters were removed'),
    warn('INVISIBLE_TEXT', left, 'invisible characters are in texts that are left as they are'),
    warn('HTML_COMMENT', comments, 'texts have HTML comments, which pages do not show'),
  ].flatMap(warning => warning ?? [])
}

function warn(
  code: 'TEXT_HIDDEN' | 'INVISIBLE_TEXT' | 'HTML_COMMENT',
  { count, paths }: Tally,
  what: string,
): Warning | null {
  if (count === 0) return null
  const where = [...paths]
  const message = `${count} ${what}: ${where.join(', ')}.`
  return createWarning(code, message, { details: { count, paths: where } })
}

/** The texts that a change has sent are its caller's own words, wherever its answer repeats them. */
function ownTexts(input: unknown): (text: string) => boolean {
  const texts = new Set<string>()
  collect(input, texts)
  return text => texts.has(text)
}

function collect(value: unknown, texts: Set<string>): void {
  if (typeof value === 'string') texts.add(value)
  else if (value !== null && typeof value === 'object') {
    for (const member of Object.values(value)) collect(member, texts)
  }
}

const KEPT_MS = 60_000

/** Failures that say what this credential may see, and so hold for a while. */
const LASTING: readonly ErrorCode[] = ['FORBIDDEN', 'NOT_FOUND', 'AUTH', 'VALIDATION']

/** Nobody, if it cannot be found out: then everybody counts as a stranger. */
async function findWriters(
  engine: Engine,
  execution: Execution,
  { upstream }: Card,
  ask: Ask,
): Promise<WriterLogins> {
  const writers = upstream.texts?.writers ?? null
  const input = writers === null ? null : inputOf(writers, execution.asked)
  if (writers === null || input === null) return NOBODY
  const { credential, clock, deadline } = execution
  const key = `${upstream.id} ${credential?.id} ${canonicalJson(input)}`
  const { knownWriters } = engine.state
  const finding = knownWriters.find(key, clock.now, () =>
    readWriters(engine, execution, writers, input, ask),
  )
  // The question may be that of another call, which has more time.
  return await within(finding, deadline.remaining(), 'no time').catch(() => NOBODY)
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
    if (!envelope.ok) return { logins: NOBODY, keepMs: keepFor(envelope.error.code) }
    for (const login of loginsIn(writers, envelope.data)) logins.add(login.toLowerCase())
    const end = valueAt(envelope.data, 'pageInfo.endCursor')
    next = cursor !== undefined && typeof end === 'string' ? { ...input, [cursor]: end } : null
  }
  return { logins, keepMs: KEPT_MS }
}

function keepFor(code: ErrorCode): number {
  return LASTING.includes(code) ? KEPT_MS : 0
}

/** The gateway asks for itself, so no permission or limit of the key holds. The credential is that of the call. */
function questionOf(
  { request, deadline, id }: Execution,
  { capability }: Writers,
  input: object,
): ExecuteRequest {
  const { caller, upstreamToken, credential, correlationId = id } = request
  const { name, credentials } = caller
  return {
    capability,
    input,
    caller: { name, operator: false, strangers: 'show', credentials },
    correlationId,
    timeoutMs: Math.max(1, Math.floor(deadline.remaining())),
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
