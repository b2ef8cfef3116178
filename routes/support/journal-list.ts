/** The query of the journal's lists, and which rows a caller may see. */
import { type Static, Type } from '@sinclair/typebox'
import type { JournalFilter, PageRequest } from '../../src/journal/journal.ts'
import type { Page } from '../../src/journal/row-schemas.ts'
import type { Caller } from '../../src/model/caller.ts'
import { MAX_CORRELATION_ID } from '../../src/model/correlation-id.ts'
import { GatewayError } from '../../src/model/errors.ts'
import { OneOf } from '../../src/model/one-of.ts'
import { ErrorCodeName, RouteName } from '../../src/model/schema-parts.ts'

export const Time = Type.String({
  pattern:
    '^(\\d{1,13}|\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+-]\\d\\d:\\d\\d))?)$',
  description: 'RFC 3339, a date (midnight UTC), or epoch milliseconds.',
})

const filterMembers = {
  capability: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  ok: Type.Optional(OneOf(['true', 'false'])),
  code: Type.Optional(ErrorCodeName),
  route: Type.Optional(RouteName),
  caller: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  since: Type.Optional(Time),
  until: Type.Optional(Time),
}

const requestFilterMembers = {
  ...filterMembers,
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
  { ...filterMembers, ...pagingMembers },
  { additionalProperties: false },
)
export const RequestListQuery = Type.Object(
  { ...requestFilterMembers, ...pagingMembers },
  { additionalProperties: false },
)
type JournalListQuery = Static<typeof RequestListQuery>

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
  const filter = visibleTo(caller, toFilter(rest))
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

export function toFilter({ ok, since, until, ...texts }: JournalFilterQuery): JournalFilter {
  return {
    ...texts,
    ...(ok === undefined ? {} : { ok: ok === 'true' }),
    ...(since === undefined ? {} : { since: toTime('since', since) }),
    ...(until === undefined ? {} : { until: toTime('until', until) }),
  }
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
