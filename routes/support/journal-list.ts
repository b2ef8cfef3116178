/** What the lists of the journal take, and who may see what in them. */
import { type Static, Type } from '@sinclair/typebox'
import { GatewayError } from '../../src/errors.ts'
import type { Caller } from '../../src/execution.ts'
import type { JournalFilter, Page, PageRequest } from '../../src/journal/journal.ts'
import { ErrorCodeName, RouteName } from './schemas.ts'

const Time = Type.String({
  pattern:
    '^(\\d{1,13}|\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+-]\\d\\d:\\d\\d))?)$',
  description: 'RFC 3339, a date (midnight UTC), or epoch milliseconds.',
})

export const JournalListQuery = Type.Object(
  {
    capability: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    ok: Type.Optional(Type.Unsafe<'true' | 'false'>({ type: 'string', enum: ['true', 'false'] })),
    code: Type.Optional(ErrorCodeName),
    route: Type.Optional(RouteName),
    caller: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    since: Type.Optional(Time),
    until: Type.Optional(Time),
    limit: Type.Optional(
      Type.String({
        pattern: '^([1-9]\\d?|1\\d\\d|200)$',
        description: '1 to 200; 50 by default.',
      }),
    ),
    after: Type.Optional(
      Type.String({ maxLength: 100, description: 'pageInfo.endCursor of the page before.' }),
    ),
  },
  { additionalProperties: false },
)
export type JournalListQuery = Static<typeof JournalListQuery>

const DEFAULT_LIMIT = 50

const EMPTY: Page<never> = { items: [], pageInfo: { hasNextPage: false, endCursor: null } }

/** One page of what this caller may see: everything with the operator scope, else its own. */
export async function listVisible<T>(
  list: (filter: JournalFilter, page: PageRequest) => Promise<Page<T>>,
  query: JournalListQuery,
  caller: Caller,
): Promise<Page<T>> {
  const { limit, after, ...rest } = query
  const page = { limit: Number(limit ?? DEFAULT_LIMIT), ...(after === undefined ? {} : { after }) }
  const filter = toFilter(rest)
  if (caller.operator) return await list(filter, page)
  // Said as "none", not as "forbidden": which other callers there are is nobody's business.
  if (filter.caller !== undefined && filter.caller !== caller.name) return EMPTY
  return await list({ ...filter, caller: caller.name }, page)
}

function toFilter({ ok, since, until, ...texts }: JournalListQuery): JournalFilter {
  return {
    ...texts,
    ...(ok === undefined ? {} : { ok: ok === 'true' }),
    ...(since === undefined ? {} : { since: toTime('since', since) }),
    ...(until === undefined ? {} : { until: toTime('until', until) }),
  }
}

function toTime(field: string, text: string): number {
  const time = /^\d+$/.test(text) ? Number(text) : Date.parse(text)
  if (!Number.isNaN(time)) return time
  throw new GatewayError('VALIDATION', `"${field}" is not a time that exists: ${text}.`, {
    source: 'caller',
    details: { fields: [{ path: field, message: 'is not a time that exists' }] },
  })
}
