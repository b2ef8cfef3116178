import { Type } from '@sinclair/typebox'
import { isObject } from '../../lib/is-object.ts'
import { version } from '../../lib/version.ts'
import type { Card } from '../../model/card.ts'
import type { Envelope, EnvelopeError } from '../../model/envelope.ts'
import { OneOf } from '../../model/one-of.ts'
import type { Route } from '../../model/route.ts'
import { AnyObject, closed, open } from '../../model/schema-parts.ts'
import { repeatsText } from '../../model/texts.ts'
import type { Warning } from '../../model/warnings.ts'
import type { SuggestedUse } from '../at-door.ts'
import { codeIn } from './codes.ts'
import { GATEWAY, retryFacts } from './error-facts.ts'
import type { Context, Profile } from './profile.ts'
import { Untrusted } from './schema-parts.ts'

const SCHEMA_ID = 'dotbot-mcp-response@1'

const Fault = Type.Object(
  {
    code: Type.String({ minLength: 1 }),
    message: Type.String(),
    path: Type.Optional(Type.String()),
    details: Type.Optional(AnyObject),
  },
  closed,
)

const Audit = Type.Object(
  {
    timestamp: Type.String({ format: 'date-time', pattern: 'Z$', description: 'UTC.' }),
    duration_ms: Type.Integer({ minimum: 0 }),
    source: Type.String({ minLength: 1, description: 'The route and its adapter.' }),
    host: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    correlation_id: Type.Optional(Type.String({ description: 'The request id.' })),
    write_to: Type.Optional(Type.String({ description: 'The URL of the changed thing.' })),
    untrusted: Untrusted,
  },
  closed,
)

const Intent = Type.Object(
  { recommended_next: Type.String(), reason: Type.String(), parameters: AnyObject },
  closed,
)

const Action = Type.Object(
  {
    id: Type.String({ minLength: 1 }),
    type: Type.String(),
    label: Type.String(),
    reason: Type.String(),
    tool: Type.String(),
    parameters: AnyObject,
  },
  closed,
)

const Response = Type.Object(
  {
    schema_id: Type.Literal(SCHEMA_ID),
    tool: Type.String({ minLength: 1, description: 'The id of the capability.' }),
    version: Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+(?:[-+][0-9A-Za-z.+-]+)?$' }),
    status: OneOf(['ok', 'warning', 'error'], 'Follows from errors and warnings.'),
    summary: Type.String({ minLength: 1, description: 'One sentence with the key facts.' }),
    data: AnyObject,
    warnings: Type.Array(Fault),
    errors: Type.Array(Fault),
    audit: Audit,
    intent: Type.Optional(Intent),
    actions: Type.Optional(Type.Array(Action)),
  },
  open,
)

export const dotbot: Profile = {
  description: 'A status, a summary sentence, warnings and errors of the same shape, and an audit.',
  schema: Response,
  defaultBudget: null,
  leastBudget: 200,
  warns: true,
  includesTokens: false,
  untrusted: 'list',
  render: (envelope, context) => {
    const { ok, data, error, meta } = envelope
    const errors = error ? [renderError(error, context)] : []
    const summary = error && context.bare ? `Failed: ${error.code}.` : context.summary()
    return {
      schema_id: SCHEMA_ID,
      tool: meta.capability_id ?? GATEWAY,
      version: context.subject.card?.version ?? version,
      status: statusOf(errors, meta.warnings),
      summary,
      data: data ?? {},
      warnings: meta.warnings,
      errors,
      audit: renderAudit(envelope, context, summary),
      ...renderSuggestions(ok ? context.suggestedUses() : [], context.budget !== null),
    }
  },
}

/** Within a budget, the first one only: `actions` would repeat it. */
function renderSuggestions(suggested: readonly SuggestedUse[], isTight: boolean) {
  const [first] = suggested
  if (!first) return {}
  const intent = renderIntent(first)
  return isTight ? { intent } : { intent, actions: suggested.map(renderAction) }
}

/** Computed, so that the status always matches the errors and warnings. */
export function statusOf(
  errors: readonly unknown[],
  warnings: readonly unknown[],
): 'ok' | 'warning' | 'error' {
  if (errors.length > 0) return 'error'
  return warnings.length > 0 ? 'warning' : 'ok'
}

function renderError(
  error: EnvelopeError,
  { bare, subject, wholeError }: Context,
): Omit<Warning, 'code'> & { code: string } {
  const { message, details, hint_id, next } = error
  const code = codeIn('dotbot', wholeError ?? error, subject.card)
  const facts = retryFacts(error)
  if (bare) return { code, message, details: facts }
  const path = next.fields?.[0]
  return {
    code,
    message,
    ...(path === undefined ? {} : { path }),
    details: { ...details, ...facts, hint_id, next },
  }
}

function renderAudit(
  { ok, data, meta }: Envelope,
  { subject, host, bare }: Context,
  summary: string,
) {
  const url = ok ? writtenTo(data, subject.card) : null
  return {
    timestamp: new Date(subject.time).toISOString(),
    duration_ms: Math.round(meta.duration_ms),
    source: bare ? (meta.route_used ?? GATEWAY) : sourceOf(meta),
    ...(host === null || bare ? {} : { host }),
    ...(meta.request_id === '' ? {} : { correlation_id: meta.request_id }),
    ...(url === null || bare ? {} : { write_to: url }),
    ...untrustedIn(meta.untrusted, data, summary),
  }
}

/** The summary of the document may repeat a text of `data`. */
function untrustedIn(paths: Envelope['meta']['untrusted'], data: unknown, summary: string) {
  if (paths === undefined) return {}
  return { untrusted: repeatsText(summary, paths, data) ? [...paths, 'summary'] : paths }
}

/** The URL of the changed thing, as the service gives it; else of the service. */
function writtenTo(data: unknown, card: Card | null): string | null {
  if (card === null || card.effect === 'read') return null
  const members = isObject(data) ? Object.entries(data) : []
  const found = members.find(([name, value]) => URL_MEMBER.test(name) && typeof value === 'string')
  return (found?.[1] as string | undefined) ?? card.upstream.baseUrl
}

const URL_MEMBER = /^url$|Url$|_url$/

function sourceOf({ route_used }: Envelope['meta']): string {
  return route_used ? SOURCES[route_used] : GATEWAY
}

const SOURCES = {
  rest: 'rest (adapters/rest)',
  graphql: 'graphql (adapters/graphql)',
  cli: 'cli (adapters/cli)',
} as const satisfies Record<Route, string>

function renderIntent({ tool, args, reason = USUAL }: SuggestedUse) {
  return { recommended_next: tool, reason, parameters: args }
}

const USUAL = 'This usually comes next.'

function renderAction({ capability, tool, args, reason = USUAL }: SuggestedUse, index: number) {
  const words = capability.replaceAll('.', ' ').replaceAll('_', ' ')
  return {
    id: `${index + 1}-${words.replaceAll(' ', '-')}`,
    type: 'suggestion',
    label: `${words.charAt(0).toUpperCase()}${words.slice(1)}`,
    reason,
    tool,
    parameters: args,
  }
}
