import { MAX_REASON } from '../../src/model/approval.ts'
import { MAX_CORRELATION_ID } from '../../src/model/correlation-id.ts'
import { PROFILE_NAMES } from '../../src/model/profile-name.ts'
import type { Route } from '../../src/model/route.ts'
import type { RunQuery } from '../capabilities.ts'
import type { Described } from './dialect.ts'

type Name = keyof (typeof RunQuery)['properties']
type Properties = Readonly<Partial<Record<Name, { readonly description?: string }>>>

/** Parameters of calls, for the components of a document. @param properties those of the query */
export function parameterComponents(properties: Properties, { profile, usual }: Described): object {
  const others = PROFILE_NAMES.filter(name => name !== profile).join(', ')
  const query = Object.entries(properties).map(([name, { description }]) => [
    name,
    { name, in: 'query', description, schema: QUERY_SCHEMAS[name] ?? { type: 'string' } },
  ])
  return {
    ...Object.fromEntries(query),
    profile: {
      name: 'profile',
      in: 'query',
      // Generated clients then send it with every call, as their types need it.
      required: profile !== usual,
      description: `Dialect of the answer. This document describes ${profile}; /openapi.json?profile=NAME describes ${others}.`,
      schema: { type: 'string', enum: [profile] },
    },
    ...Object.fromEntries(HEADERS.map(header => [header.name, header])),
  }
}

/** The meaning of a parameter; the endpoint's own schema only sees its text. */
const QUERY_SCHEMAS: Readonly<Record<string, object>> = {
  timeout_ms: { type: 'integer', minimum: 1, examples: [10_000] },
  token_budget: { type: 'integer', minimum: 1, examples: [2000] },
  tokenBudget: { type: 'integer', minimum: 1 },
  max_age_ms: { type: 'integer', minimum: 0 },
  stale_if_error_ms: { type: 'integer', minimum: 0 },
  fields: { type: 'string', examples: ['items.number,items.title'] },
}

const HEADERS = [
  {
    name: 'X-Upstream-Authorization',
    in: 'header',
    description: "The caller's own credential for the upstream.",
    schema: { type: 'string' },
  },
  {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes a write happen at most once, however often the call is repeated; kept for 24 hours.',
    schema: { type: 'string', maxLength: 255 },
  },
  {
    name: 'Signalbox-Approval',
    in: 'header',
    description: 'The id of the approval that a person has given for this call.',
    schema: { type: 'string', maxLength: 100 },
  },
  {
    name: 'Signalbox-Reason',
    in: 'header',
    description: 'Your reason for the call, for the person who has to approve it, in UTF-8.',
    schema: { type: 'string', maxLength: MAX_REASON },
  },
  {
    name: 'Cache-Control',
    in: 'header',
    description:
      'For reads, RFC 9111: max-age and stale-if-error allow an answer from memory; max-stale, min-fresh, no-cache, no-store and only-if-cached are heeded too.',
    schema: { type: 'string' },
  },
  {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'Your own id for the call: kept, searchable, and returned as X-Correlation-Id and meta.correlation_id. X-Correlation-Id takes precedence.',
    schema: { type: 'string', maxLength: MAX_CORRELATION_ID },
  },
] as const

const refTo = (name: string) => ({ $ref: `#/components/parameters/${name}` })

/** The parameters of a call. @param routes the routes it can be pinned to */
export function callParameters(
  properties: Properties,
  routes: readonly Route[],
): readonly object[] {
  return Object.keys({ ...properties, ...HEADERS_BY_NAME }).map(name =>
    name === 'route' ? routeParameter(properties, routes) : refTo(name),
  )
}

const HEADERS_BY_NAME = Object.fromEntries(HEADERS.map(header => [header.name, header]))

function routeParameter({ route }: Properties, routes: readonly Route[]): object {
  return {
    name: 'route',
    in: 'query',
    description: route?.description,
    schema: { type: 'string', enum: routes },
  }
}

/** Without the header Idempotency-Key: the calls of a batch have keys of their own. */
export function batchParameters(properties: Properties): readonly object[] {
  const headers = HEADERS.map(({ name }) => name).filter(name => name !== 'Idempotency-Key')
  return [...Object.keys(properties), ...headers].map(refTo)
}
