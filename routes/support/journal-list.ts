/** The query of the journal's lists, and which rows a caller may see. */
import { type Static, Type } from '@sinclair/typebox'
import type { JournalFilter, PageRequest } from '../../src/journal/journal.ts'
import type { Page } from '../../src/journal/row-schemas.ts'
import type { Caller } from '../../src/model/caller.ts'
import { MAX_CORRELATION_ID } from '../../src/model/correlation-id.ts'
import { GatewayError } from '../../src/model/errors.ts'
import { OneOf } from '../../src/model/one-of.ts'
import { ATTEMPT_PURPOSES, ATTEMPT_STATUSES, REASONS } from '../../src/model/reasons.ts'
import { REQUEST_OUTCOMES } from '../../src/model/request-outcome.ts'
import { ROUTES } from '../../src/model/route.ts'
import { ErrorCodeName, RouteName, WriteOutcomeName } from '../../src/model/schema-parts.ts'
import { exportMembers } from './exported.ts'

export const Time = Type.String({
  pattern:
    '^(\\d{1,13}|\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+-]\\d\\d:\\d\\d))?)$',
  description: 'RFC 3339, a date (midnight UTC), or epoch milliseconds.',
})

const Name = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))
const YesOrNo = (description: string) => Type.Optional(OneOf(['true', 'false'], description))
const Status = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[1-5](\\d\\d|xx)$', description }))

const filterMembers = {
  capability: Name('An id, a pattern such as issue.*, or (none) for requests that reached none.'),
  ok: Type.Optional(OneOf(['true', 'false'])),
  code: Type.Optional(ErrorCodeName),
  route: Type.Optional(RouteName),
  caller: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  status: Type.Optional(
    OneOf(ATTEMPT_STATUSES, 'How the attempt ended, or any attempt of the request.'),
  ),
  reason: Type.Optional(
    OneOf(REASONS, 'Why a route was taken or skipped, in the request or any of its attempts.'),
  ),
  upstream_status: Status(
    'The HTTP status of the upstream, in any attempt of the request: 503, or 5xx for a class.',
  ),
  min_duration_ms: Type.Optional(
    Type.String({
      pattern: '^\\d{1,9}$',
      description: 'Took this long or longer; never a row without a duration.',
    }),
  ),
  upstream: Name('The upstream of the capability.'),
  since: Type.Optional(Time),
  until: Type.Optional(Time),
}

const onRoute = (description: string) => Type.Optional(OneOf(ROUTES, description))

/** Filters of both lists: of requests, and of attempts of such requests. */
const sharedMembers = {
  ...filterMembers,
  request_id: Name('The id of the request.'),
  outcome: Type.Optional(OneOf(REQUEST_OUTCOMES, 'How the request ended for its caller.')),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'A request id, trace id, correlation id or batch id, the id of an approval, an Idempotency-Key or its SHA-256 in hex, a part of the name of a capability, or words: of the error message, and of input and answer if the journal keeps them.',
    }),
  ),
  write_outcome: Type.Optional(WriteOutcomeName),
  http_status: Status('The HTTP status of the answer: 503, or 5xx for a class.'),
  retried: YesOrNo(
    'Whether the gateway tried a route again, also after a check on a write; of attempts: the route, after it.',
  ),
  fell_back: YesOrNo('Whether it chose a later route than the first, for the request.'),
  correlation_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_CORRELATION_ID,
      description: "The caller's own id for the request, which it sent as X-Request-Id.",
    }),
  ),
  batch_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The calls of this batch: meta.batch_id of their answers.',
    }),
  ),
}

/** Filters of requests alone: for attempts, `route` and `status` find the same. */
const requestFilterMembers = {
  ...sharedMembers,
  tried: onRoute('Requests with an attempt on this route.'),
  failed_on: onRoute('Requests with a failed attempt on this route.'),
  skipped_on: onRoute('Requests that skipped this route.'),
}

/** Filters of attempts alone. */
const attemptFilterMembers = {
  ...sharedMembers,
  moved_on: YesOrNo('Whether another route was tried because this one could not serve the call.'),
  purpose: Type.Optional(
    OneOf(ATTEMPT_PURPOSES, 'Part of the call, or a read that verifies a write.'),
  ),
}

/** The filters of the list of requests, without paging; for streams. */
export const JournalFilterQuery = Type.Object(requestFilterMembers, { additionalProperties: false })
export type JournalFilterQuery = Static<typeof JournalFilterQuery>

export const pagingMembers = {
  limit: Type.Optional(
    Type.String({
      pattern: '^([1-9]\\d?|1\\d\\d|200)$',
      description: '1 to 200; 50 by default.',
    }),
  ),
  after: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Returns older ones: pageInfo.endCursor of a page.',
    }),
  ),
  before: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Returns newer ones: pageInfo.startCursor of a page.',
    }),
  ),
}

export const AttemptListQuery = Type.Object(
  { ...attemptFilterMembers, ...pagingMembers },
  { additionalProperties: false },
)
export const AttemptExportQuery = Type.Object(
  { ...attemptFilterMembers, ...exportMembers },
  { additionalProperties: false },
)
export const RequestExportQuery = Type.Object(
  { ...requestFilterMembers, ...exportMembers },
  { additionalProperties: false },
)
export const RequestListQuery = Type.Object(
  { ...requestFilterMembers, ...pagingMembers },
  { additionalProperties: false },
)
type JournalListQuery = Static<typeof RequestListQuery> | Static<typeof AttemptListQuery>

export const DEFAULT_LIMIT = 50

const EMPTY: Page<never> = {
  items: [],
  pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
}

/** Returns a page of the rows that the caller may see: all of them for an operator, else its own. */
export async function listVisible<T>(
  list: (filter: JournalFilter, page: PageRequest) => Promise<Page<T>>,
  query: JournalListQuery,
  caller: Caller,
): Promise<Page<T>> {
  const { limit, after, before, ...rest } = query
  assertOneCursor(query)
  const page = {
    limit: Number(limit ?? DEFAULT_LIMIT),
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
  }
  const filter = readableBy(caller, toFilter(rest))
  return filter === null ? EMPTY : await list(filter, page)
}

/**
 * Narrows a filter to the rows that the caller may see; null when there can be none. Asking for another caller's rows
 * gives an empty list, not an error: an error would reveal which callers exist.
 */
export function visibleTo<Filter extends { readonly caller?: string }>(
  caller: Caller,
  filter: Filter,
): Filter | null {
  if (caller.operator) return filter
  const foreign = filter.caller !== undefined && filter.caller !== caller.name
  return foreign ? null : { ...filter, caller: caller.name }
}

/** Narrows a filter to what the caller may see. Words that its key hides from it find no request either. */
export function readableBy(caller: Caller, filter: JournalFilter): JournalFilter | null {
  const visible = visibleTo(caller, filter)
  const hides = visible?.q !== undefined && caller.strangers === 'hide'
  return hides ? { ...visible, q_within: 'own' } : visible
}

export function toFilter(
  query: JournalFilterQuery & Pick<Static<typeof AttemptListQuery>, 'moved_on' | 'purpose'>,
): JournalFilter {
  const { ok, retried, fell_back, moved_on, min_duration_ms, since, until, ...texts } = query
  return {
    ...texts,
    ...flags({ ok, retried, fell_back, moved_on }),
    ...(min_duration_ms === undefined ? {} : { min_duration_ms: Number(min_duration_ms) }),
    ...(since === undefined ? {} : { since: toTime('since', since) }),
    ...(until === undefined ? {} : { until: toTime('until', until) }),
  }
}

/** The flags of a query that are given, as booleans. */
function flags<Name extends string>(
  given: Readonly<Record<Name, 'true' | 'false' | undefined>>,
): { readonly [Key in Name]?: boolean } {
  const all = Object.entries<string | undefined>(given)
  const found = all.flatMap(([name, text]) => (text === undefined ? [] : [[name, text === 'true']]))
  return Object.fromEntries(found)
}

/** @throws {GatewayError} VALIDATION */
export function assertOneCursor({
  after,
  before,
}: Pick<JournalListQuery, 'after' | 'before'>): void {
  if (after === undefined || before === undefined) return
  throw new GatewayError('VALIDATION', 'Send either "after" or "before", not both.', {
    source: 'caller',
    details: { fields: [{ path: 'before', message: 'must not be sent together with after' }] },
  })
}

export function toTime(field: string, text: string): number {
  const time = /^\d+$/.test(text) ? Number(text) : Date.parse(text)
  if (!Number.isNaN(time)) return time
  throw new GatewayError('VALIDATION', `"${field}" is not a time that exists: ${text}.`, {
    source: 'caller',
    details: { fields: [{ path: field, message: 'is not a time that exists' }] },
  })
}
