import type { TObject } from '@sinclair/typebox'
import { MAX_REASON } from '../../src/model/approval.ts'
import { MAX_CORRELATION_ID } from '../../src/model/correlation-id.ts'
import { PROFILE_NAMES } from '../../src/model/profile-name.ts'
import type { Route } from '../../src/model/route.ts'

/** Describes the query parameters of an endpoint that runs calls. @param routes the routes it can be pinned to */
export function queryParameters({ properties }: TObject, routes: readonly Route[]) {
  return Object.entries(properties).map(([name, { description }]) => ({
    name,
    in: 'query',
    description,
    schema: parameterSchema(name, routes),
  }))
}

/** The meaning of a parameter; the route's own schema only sees its text. */
function parameterSchema(name: string, routes: readonly Route[]) {
  switch (name) {
    case 'route':
      return { type: 'string', enum: routes }
    case 'profile':
      return { type: 'string', enum: PROFILE_NAMES }
    case 'timeout_ms':
    case 'token_budget':
    case 'max_age_ms':
    case 'stale_if_error_ms':
      return { type: 'integer' }
    default:
      return { type: 'string' }
  }
}

export const HEADERS = [
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
    description: 'Your reason for the call, for the person who has to approve it.',
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
