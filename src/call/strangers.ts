import { type Tally, type TreatedTexts, type Treatment, treatTexts } from '../answer/treat-texts.ts'
import type { Engine } from '../engine/engine.ts'
import type { Execution } from '../engine/execution.ts'
import { JsonText } from '../lib/json-text.ts'
import type { Card } from '../model/card.ts'
import { type Answer, withWarnings } from '../model/envelope.ts'
import { createWarning, type Warning } from '../model/warnings.ts'
import { type KnownPeople, NO_WRITERS } from '../state/writers.ts'
import { type Ask, findWriters } from './find-writers.ts'

/**
 * Treats the words of strangers in an answer as the caller's key says. Memory, Idempotency-Keys and shared runs keep the
 * answer as the service gave it, because another caller may have another key. Synchronous unless it has to ask who may write.
 */
export function treatStrangers(
  engine: Engine,
  execution: Execution,
  answer: Answer,
  ask: Ask,
): Answer | Promise<Answer> {
  const { card, request } = execution
  const { strangers = 'mark' } = request.caller
  if (!card || !answer.envelope.ok || strangers === 'show') return answer
  const { root, isStated, hasAuthors } = card.texts
  if (root === null || (strangers === 'mark' && !isStated)) return answer
  const { data } = answer.envelope
  const treat = (writers: KnownPeople) => {
    const treatment = treatmentOf(execution, card, strangers, writers)
    return withTreated(answer, treatTexts(data, root, treatment), writers)
  }
  const isAsked = strangers === 'hide' && hasAuthors
  return isAsked ? findWriters(engine, execution, card, ask).then(treat) : treat(NO_WRITERS)
}

function treatmentOf(
  { asked }: Execution,
  { effect }: Card,
  strangers: Treatment['strangers'],
  { logins }: KnownPeople,
): Treatment {
  return {
    strangers,
    mayWrite: login => logins.has(login.toLowerCase()),
    isOwn: effect === 'read' ? () => false : ownTexts(asked),
    input: asked,
  }
}

function withTreated(answer: Answer, treated: TreatedTexts, writers: KnownPeople): Answer {
  const warnings = warningsOf(treated, writers)
  const { envelope } = answer
  const { marked, data } = treated
  if (marked.size === 0 && warnings.length === 0) return answer
  const untrusted = marked.size === 0 ? {} : { untrusted: [...marked] }
  const meta = { ...envelope.meta, ...untrusted }
  const changed = withWarnings({ ...envelope, data, meta } as Answer['envelope'], warnings)
  return {
    ...answer,
    envelope: changed,
    metaJson: new JsonText(changed.meta),
    dataJson: new JsonText(data),
  }
}

type Tallies = Pick<TreatedTexts, 'removed' | 'left' | 'comments' | 'hidden'>

/** Says how many texts were left out, and what is in the others. @param gone says which were left out, and why */
export function warningsOf(
  { removed, left, comments, hidden }: Tallies,
  { unanswered }: KnownPeople = NO_WRITERS,
  gone: string = 'texts by authors without write access were left out',
): readonly Warning[] {
  return [
    unanswered ? hiddenFromAll(hidden, unanswered) : warn('TEXT_HIDDEN', hidden, gone),
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

/** Says why even the texts of people with write access are missing, and how to mend it. */
function hiddenFromAll(
  hidden: Tally,
  { capability, code, requestId }: NonNullable<KnownPeople['unanswered']>,
): Warning | null {
  const warning = warn('TEXT_HIDDEN', hidden, 'texts were left out')
  if (warning === null) return null
  const message = `${warning.message} Every author counted as a stranger, because ${capability}, which says who may write, failed with ${code}. With a credential that may call it, texts of people with write access stay.`
  const writers = { capability, code, request_id: requestId }
  return { ...warning, message, details: { ...warning.details, writers } }
}

/** The texts that a change has sent are its caller's own words, wherever its answer repeats them. */
export function ownTexts(input: unknown): (text: string) => boolean {
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
