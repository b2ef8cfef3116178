import { Type } from '@sinclair/typebox'
import { isRawNumber } from '../../lib/exact-json.ts'
import { firstSentence, shorten } from '../../lib/text.ts'
import type { EnvelopeError, Meta } from '../../model/envelope.ts'
import { AnyObject, closed, HintId, WriteOutcomeName } from '../../model/schema-parts.ts'
import type { Profile } from './profile.ts'
import { DropSchema } from './schema-parts.ts'

const LONGEST_MESSAGE = 100

const Success = Type.Object(
  {
    ok: Type.Literal(true),
    data: AnyObject,
    age_ms: Type.Optional(Type.Integer({ description: 'The age of an answer from memory.' })),
    stale: Type.Optional(
      Type.Literal(true, {
        description: 'It is older than you wanted, because every route failed.',
      }),
    ),
    dropped: Type.Optional(
      Type.Array(DropSchema, { minItems: 1, description: 'Only when something is missing.' }),
    ),
  },
  closed,
)

const Failure = Type.Object(
  {
    err: Type.Object(
      {
        code: Type.String({ pattern: '^[A-Z][A-Z0-9_]*$', description: 'Stable.' }),
        msg: Type.String({ maxLength: LONGEST_MESSAGE }),
        retry: Type.Boolean(),
        hintId: HintId,
        outcome: Type.Optional(WriteOutcomeName),
        wait_ms: Type.Optional(Type.Number({ description: 'Wait this long before you retry.' })),
        next: Type.Optional(AnyObject),
      },
      closed,
    ),
  },
  closed,
)

export const compact: Profile = {
  description: 'As few tokens as possible: without empty members, errors as a code and a hint id.',
  schema: Type.Union([Success, Failure]),
  defaultBudget: null,
  includesTokens: false,
  render: ({ ok, data, error, meta }, { dropped }) => {
    if (!ok) return { err: renderError(error) }
    const cuts = dropped.length > 0 ? { dropped } : {}
    return { ok, data: prune(data) ?? {}, ...renderAge(meta), ...cuts }
  },
}

/** Nothing for an answer that the upstream has just given. */
function renderAge({ age_ms, warnings }: Meta) {
  if (age_ms === undefined) return {}
  const isStale = warnings.some(({ code }) => code === 'STALE_ANSWER')
  return { age_ms, ...(isStale ? { stale: true } : {}) }
}

function renderError({
  code,
  message,
  retryable,
  hint_id,
  write_outcome,
  retry_after_ms,
  next,
}: EnvelopeError) {
  return {
    code,
    msg: compactMessage(withMembers(message, next.fields ?? [])),
    retry: retryable,
    hintId: hint_id,
    ...(write_outcome === null ? {} : { outcome: write_outcome }),
    ...(retry_after_ms === null ? {} : { wait_ms: retry_after_ms }),
    next,
  }
}

/** Adds what to change, if the first sentence does not say it: "422: Validation Failed (title)." */
function withMembers(message: string, fields: readonly string[]): string {
  const sentence = firstSentence(message)
  const change = likelyWord(message, sentence) ?? membersOutside(sentence, fields)
  return change === null ? message : `${sentence.replace(/[.!?]$/, '')} (${change}).`
}

/** A later sentence has the right word for a slip: `There is no capability "repo.veiw" (did you mean repo.view?).` */
function likelyWord(message: string, sentence: string): string | null {
  const [, word] = /\bDid you mean ([^\s,?]{1,60})/.exec(message.slice(sentence.length)) ?? []
  return word === undefined || sentence.includes(word) ? null : `did you mean ${word}?`
}

function membersOutside(sentence: string, fields: readonly string[]): string | null {
  return fields.length === 0 || fields.some(name => sentence.includes(name))
    ? null
    : fields.join(', ')
}

/** The first sentence, shortened if it is too long. */
export function compactMessage(message: string): string {
  return shorten(firstSentence(message), LONGEST_MESSAGE)
}

/** Removes null and empty members; undefined when nothing is left. Lists keep all their items. */
function prune(value: unknown): unknown {
  if (value === null || value === '') return undefined
  if (typeof value !== 'object' || isRawNumber(value)) return value
  if (Array.isArray(value)) {
    return value.length === 0 ? undefined : value.map(item => prune(item) ?? emptied(item))
  }
  const members = Object.entries(value as object)
    .map(([key, member]) => [key, prune(member)] as const)
    .filter(([, member]) => member !== undefined)
  return members.length === 0 ? undefined : Object.fromEntries(members)
}

/** Stands for an empty item, which has to keep its place in the list. */
function emptied(item: unknown): unknown {
  if (item === null || typeof item !== 'object' || isRawNumber(item)) return item
  return Array.isArray(item) ? [] : {}
}
