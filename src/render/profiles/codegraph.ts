import { Type } from '@sinclair/typebox'
import { shorten } from '../../lib/text.ts'
import type { Envelope, EnvelopeError } from '../../model/envelope.ts'
import { AnyObject, closed } from '../../model/schema-parts.ts'
import type { SuggestedUse } from '../at-door.ts'
import { codeIn, problemsOf } from './codes.ts'
import { GATEWAY, retryFacts } from './error-facts.ts'
import type { Context, Profile } from './profile.ts'
import { Untrusted } from './schema-parts.ts'

/** The version of the dialect, not of a capability. */
const DIALECT_VERSION = '1.0'
/** The length of a name when only the necessary parts fit. */
const SHORT_NAME = 30

const Meta = Type.Object(
  {
    approxTokens: Type.Integer({
      minimum: 0,
      description: 'A quarter of the characters of this answer, rounded up.',
    }),
    truncated: Type.Boolean({ description: 'True exactly when something is missing.' }),
    limits: Type.Object(
      {
        maxItems: Type.Optional(Type.Integer({ minimum: 0 })),
        maxDepth: Type.Optional(Type.Integer({ minimum: 0 })),
      },
      closed,
    ),
    nextQuerySuggestion: Type.Optional(
      Type.Array(
        Type.Object(
          { tool: Type.String(), args: AnyObject, reason: Type.Optional(Type.String()) },
          closed,
        ),
      ),
    ),
    untrusted: Untrusted,
    page: Type.Optional(
      Type.Object(
        {
          cursor: Type.Optional(Type.String()),
          hasMore: Type.Boolean(),
          total: Type.Optional(Type.Integer({ minimum: 0 })),
        },
        closed,
      ),
    ),
  },
  closed,
)

const around = {
  tool: Type.String({ minLength: 1, description: 'The id of the capability.' }),
  version: Type.String({ description: 'Of the dialect.' }),
  requestId: Type.String(),
  generatedAt: Type.String({ format: 'date-time' }),
  workspace: Type.Object(
    {
      root: Type.String({ description: 'Base URL of the upstream.' }),
      repoName: Type.String({ description: 'The subject of the call, e.g. owner/name.' }),
      rev: Type.Optional(Type.String()),
    },
    closed,
  ),
  meta: Meta,
}

const Success = Type.Object(
  {
    success: Type.Literal(true),
    data: Type.Object({ ...around, result: AnyObject }, closed),
  },
  closed,
)

const ErrorResult = Type.Object(
  {
    error: Type.Object(
      { code: Type.String(), message: Type.String(), details: Type.Optional(AnyObject) },
      closed,
    ),
  },
  closed,
)

const Failure = Type.Object(
  {
    success: Type.Literal(false),
    data: Type.Object({ ...around, result: ErrorResult }, closed),
  },
  closed,
)

export const codegraph: Profile = {
  description: 'success / data, where data includes the size of the answer and suggested calls.',
  schema: Type.Union([Success, Failure]),
  defaultBudget: null,
  leastBudget: 200,
  includesTokens: true,
  untrusted: 'list',
  render: (envelope, context) => ({
    success: envelope.ok,
    data: {
      tool: envelope.meta.capability_id ?? GATEWAY,
      version: DIALECT_VERSION,
      requestId: envelope.meta.request_id,
      generatedAt: new Date(context.subject.time).toISOString(),
      workspace: workspaceOf(context),
      result: envelope.ok ? envelope.data : { error: renderError(envelope.error, context) },
      meta: renderMeta(envelope, context),
    },
  }),
}

function workspaceOf({ subject: { card, input }, bare }: Context) {
  if (!card) return { root: GATEWAY, repoName: GATEWAY }
  const { id, baseUrl, workspaceOf: name } = card.upstream
  const root = baseUrl ?? id
  const repoName = name(input ?? {}) ?? id
  return bare
    ? { root: shorten(root, SHORT_NAME), repoName: shorten(repoName, SHORT_NAME) }
    : { root, repoName }
}

/** Puts members that the dialect does not have into `details`, where its readers look for them. */
function renderError(error: EnvelopeError, { bare, subject, wholeError }: Context) {
  const { message, details, next } = error
  const facts = retryFacts(error)
  const code = codeIn('codegraph', wholeError ?? error, subject.card)
  if (bare) return { code, message, details: facts }
  const errors = problemsOf(error).map(({ path, message: problem }) => ({
    path: path === '' ? [] : path.split('.'),
    message: problem,
  }))
  return {
    code,
    message,
    details: { ...details, ...(errors.length > 0 ? { errors } : {}), ...facts, next },
  }
}

function renderMeta(
  { ok, meta: { untrusted } }: Envelope,
  { subject, tokens, truncated, page, suggestedUses }: Context,
) {
  const suggested = ok ? suggestedUses() : []
  return {
    approxTokens: tokens,
    // Further pages are missing too.
    truncated: truncated || page?.hasMore === true,
    limits: limitsOf(subject),
    ...(suggested.length > 0 ? { nextQuerySuggestion: suggested.map(renderSuggestion) } : {}),
    ...(page ? { page: renderPage(page) } : {}),
    ...(untrusted === undefined ? {} : { untrusted }),
  }
}

function limitsOf({ card, input }: Context['subject']) {
  const size = card?.page?.size
  const asked = size === undefined ? undefined : input?.[size]
  return typeof asked === 'number' ? { maxItems: asked } : {}
}

function renderSuggestion({ tool, args, reason }: SuggestedUse) {
  return { tool, args, ...(reason === undefined ? {} : { reason }) }
}

function renderPage({ cursor, hasMore, total }: NonNullable<Context['page']>) {
  return {
    ...(cursor === undefined ? {} : { cursor }),
    hasMore,
    ...(total === undefined ? {} : { total }),
  }
}
