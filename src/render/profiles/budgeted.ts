import { Type } from '@sinclair/typebox'
import { shorten } from '../../lib/text.ts'
import type { EnvelopeError } from '../../model/envelope.ts'
import { AnyObject, closed, open } from '../../model/schema-parts.ts'
import { BUDGET_LIMITS } from '../budget/budget.ts'
import type { Drop } from '../budget/drop.ts'
import { codeIn } from './codes.ts'
import { retryFacts } from './error-facts.ts'
import type { Context, Page, Profile } from './profile.ts'

const DEFAULT_TOKENS = 2000
/** The length of a hint when only the necessary parts fit. */
const SHORT_HINT = 40

const Dropped = Type.Object(
  {
    kind: Type.String({ description: 'What was left out: the name of a list, or "characters".' }),
    count: Type.Integer({ minimum: 1, description: 'How many. Of further pages, at least one.' }),
    note: Type.String({ description: 'How to get the rest.' }),
  },
  { ...open, description: 'The largest cut. The others are among the warnings.' },
)

const around = {
  tokenBudget: Type.Object(
    {
      requested: Type.Integer({ minimum: BUDGET_LIMITS.min, maximum: BUDGET_LIMITS.max }),
      used: Type.Integer({ minimum: 1, description: 'Never more than requested.' }),
      max: Type.Integer(),
    },
    closed,
  ),
  truncated: Type.Boolean({ description: 'True exactly when something is missing.' }),
  warnings: Type.Array(Type.String()),
}

const Success = Type.Object(
  { ok: Type.Literal(true), data: AnyObject, ...around, dropped: Type.Optional(Dropped) },
  closed,
)

const Failure = Type.Object(
  {
    ok: Type.Literal(false),
    error: Type.Object(
      {
        code: Type.String({ pattern: '^[A-Z][A-Z0-9_]*$' }),
        message: Type.String(),
        hint: Type.String({ description: 'What to do.' }),
      },
      open,
    ),
    ...around,
    dropped: Type.Optional(Dropped),
  },
  closed,
)

export const budgeted: Profile = {
  description: `Never larger than token_budget (${DEFAULT_TOKENS} by default); lists what it left out.`,
  schema: Type.Union([Success, Failure]),
  defaultBudget: DEFAULT_TOKENS,
  warns: true,
  includesTokens: true,
  render: ({ ok, data, error, meta }, context) => ({
    ok,
    ...(ok ? { data } : { error: renderError(error, context) }),
    tokenBudget: {
      requested: context.budget?.tokens ?? DEFAULT_TOKENS,
      used: context.tokens,
      max: BUDGET_LIMITS.max,
    },
    ...renderCuts(context),
    warnings: [
      ...meta.warnings.filter(({ code }) => code !== 'TRUNCATED').map(({ message }) => message),
      ...cutsOf(context)
        .slice(1)
        .map(({ note }) => note),
    ],
  }),
}

function renderCuts(context: Context) {
  const [largest] = cutsOf(context)
  return largest ? { truncated: true, dropped: largest } : { truncated: context.truncated }
}

type Cut = Omit<Drop, 'path'>

/** The cuts, the largest first: items of a list before characters. Further pages of a list are missing too. */
function cutsOf({ dropped, page, subject }: Context): readonly Cut[] {
  if (dropped.length === 0) return page?.hasMore ? furtherPages(page, subject) : []
  return dropped
    .toSorted((a, b) => isText(a) - isText(b) || b.count - a.count)
    .map(({ kind, count, note, cursor }) => ({ kind, count, note, ...(cursor ? { cursor } : {}) }))
}

function isText({ kind }: Drop): number {
  return kind === 'characters' ? 1 : 0
}

function furtherPages({ cursor }: Page, { card }: Context['subject']): readonly Cut[] {
  if (cursor === undefined) return []
  const list = card?.list?.path.split('.').at(-1) ?? 'items'
  const name = card?.page?.cursor ?? 'after'
  const note = `At least one more. Continue with this cursor as "${name}".`
  return [{ kind: list, count: 1, note, cursor }]
}

function renderError(error: EnvelopeError, { hint, bare, subject, wholeError }: Context) {
  const { message, hint_id, next } = error
  const code = codeIn('budgeted', wholeError ?? error, subject.card)
  const action = hint(hint_id)?.action ?? hint_id
  return {
    code,
    message,
    hint: bare ? shorten(action, SHORT_HINT) : action,
    ...retryFacts(error),
    ...(bare ? {} : { next }),
  }
}
