import { Type } from '@sinclair/typebox'
import { shorten } from '../../lib/text.ts'
import type { EnvelopeError } from '../../model/envelope.ts'
import { AnyObject, closed, open } from '../../model/schema-parts.ts'
import { BUDGET_LIMITS } from '../budget/budget.ts'
import { retryFacts } from './error-facts.ts'
import type { Context, Profile } from './profile.ts'
import { DropSchema } from './schema-parts.ts'

const DEFAULT_TOKENS = 2000
/** The length of a hint when only the necessary parts fit. */
const SHORT_HINT = 40

/** The dialect first had one note for all cuts. Signalbox sends a list of them. */
const Dropped = Type.Union([
  Type.Array(DropSchema, { minItems: 1 }),
  Type.Object(
    { kind: Type.String(), count: Type.Integer({ minimum: 1 }), note: Type.String() },
    open,
  ),
])

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
  includesTokens: true,
  render: ({ ok, data, error, meta }, context) => ({
    ok,
    ...(ok ? { data } : { error: renderError(error, context) }),
    tokenBudget: {
      requested: context.budget?.tokens ?? DEFAULT_TOKENS,
      used: context.tokens,
      max: BUDGET_LIMITS.max,
    },
    truncated: context.truncated,
    ...(context.dropped.length > 0 ? { dropped: context.dropped } : {}),
    // `dropped` already lists the cuts.
    warnings: meta.warnings
      .filter(({ code }) => code !== 'TRUNCATED')
      .map(({ message }) => message),
  }),
}

function renderError(error: EnvelopeError, { hint, bare }: Context) {
  const { code, message, hint_id, next } = error
  const action = hint(hint_id)?.action ?? hint_id
  return {
    code,
    message,
    hint: bare ? shorten(action, SHORT_HINT) : action,
    ...retryFacts(error),
    ...(bare ? {} : { next }),
  }
}
