/** The filters of the journal's lists as options: those of `GET /v1/requests` and `GET /v1/attempts`, with their names. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { JournalFilter } from '../journal/journal.ts'
import { ERROR_CODES, WRITE_OUTCOMES } from '../model/errors.ts'
import { ATTEMPT_PURPOSES, ATTEMPT_STATUSES, REASONS } from '../model/reasons.ts'
import { REQUEST_OUTCOMES } from '../model/request-outcome.ts'
import { ROUTES } from '../model/route.ts'

interface FilterOption {
  readonly text: string
  readonly values?: readonly string[]
  readonly parse?: (text: string) => JournalFilter[keyof JournalFilter]
}

const YES_NO = { values: ['true', 'false'], parse: (text: string) => text === 'true' }
const STATUS = { parse: toStatus }

const BOTH = {
  capability: {
    text: 'of this capability, of those that a pattern such as issue.* matches, or of (none)',
  },
  caller: { text: 'of this caller' },
  ok: { text: 'that succeeded, or that failed', ...YES_NO },
  code: { text: 'that failed with this code', values: ERROR_CODES },
  route: { text: 'that this route answered', values: ROUTES },
  status: { text: 'with an attempt that ended so', values: ATTEMPT_STATUSES },
  reason: { text: 'with this reason', values: REASONS },
  upstream_status: { text: 'with this HTTP status of the upstream: 503, or 5xx', ...STATUS },
  min_duration_ms: { text: 'that took this long or longer', parse: toCount },
  upstream: { text: 'of this upstream' },
  since: { text: 'since this time (RFC 3339, or a date)', parse: toTime },
  until: { text: 'before this time', parse: toTime },
} satisfies Partial<Record<keyof JournalFilter, FilterOption>>

/** Filters of requests. The list of attempts has those of such requests. */
const OF_REQUESTS = {
  request_id: { text: 'with this id, or of the request with it' },
  q: { text: 'with this id, with these words, or of a capability with this in its name' },
  write_outcome: { text: 'that wrote, with this outcome', values: WRITE_OUTCOMES },
  http_status: { text: 'answered with this HTTP status: 503, or 5xx', ...STATUS },
  retried: { text: 'for which a route was tried again', ...YES_NO },
  fell_back: { text: 'for which a later route was chosen', ...YES_NO },
  outcome: { text: 'that ended so for the caller', values: REQUEST_OUTCOMES },
  correlation_id: { text: 'with this id of the caller' },
  batch_id: { text: 'that were calls of this batch' },
} satisfies Partial<Record<keyof JournalFilter, FilterOption>>

/** Filters of requests alone: for attempts, `route` and `status` find the same. */
const BY_ROUTE = {
  tried: { text: 'with an attempt on this route', values: ROUTES },
  failed_on: { text: 'with a failed attempt on this route', values: ROUTES },
  skipped_on: { text: 'that skipped this route', values: ROUTES },
} satisfies Partial<Record<keyof JournalFilter, FilterOption>>

/** The filters of each list by their names. */
export const FILTER_OPTIONS: Readonly<
  Record<'requests' | 'attempts', Readonly<Record<string, FilterOption>>>
> = {
  requests: { ...BOTH, ...OF_REQUESTS, ...BY_ROUTE },
  attempts: {
    ...BOTH,
    ...OF_REQUESTS,
    route: { text: 'on this route', values: ROUTES },
    status: { text: 'that ended so', values: ATTEMPT_STATUSES },
    retried: { text: 'after which their route was tried again', ...YES_NO },
    moved_on: { text: 'after which another route was tried', ...YES_NO },
    purpose: { text: 'of the call, or that verify a write', values: ATTEMPT_PURPOSES },
  },
}

export type GivenFilters = Readonly<Record<string, unknown>>

export function withFilterOptions(command: Command, list: 'requests' | 'attempts'): Command {
  for (const [name, { text, values, parse }] of Object.entries(FILTER_OPTIONS[list])) {
    const option = new Option(`--${name.replaceAll('_', '-')} <value>`, `only ${list} ${text}`)
    if (values) option.choices(values)
    else option.argParser(parse ?? toText)
    command.addOption(option)
  }
  return command
}

/** @param given options as Commander names them */
export function filtersOf(list: 'requests' | 'attempts', given: GivenFilters): JournalFilter {
  const filters = Object.entries(FILTER_OPTIONS[list]).flatMap(([name, { values, parse }]) => {
    const value = given[name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())]
    if (value === undefined) return []
    return [[name, values && parse && typeof value === 'string' ? parse(value) : value]]
  })
  return Object.fromEntries(filters)
}

function toText(text: string): string {
  if (text !== '') return text
  throw new InvalidArgumentError('It must not be empty.')
}

function toStatus(text: string): string {
  if (/^[1-5](\d\d|xx)$/.test(text)) return text
  throw new InvalidArgumentError('Give a status such as 503, or a class such as 5xx.')
}

function toCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a whole number.')
}

function toTime(text: string): number {
  const time = /^\d{1,13}$/.test(text) ? Number(text) : Date.parse(text)
  if (!Number.isNaN(time)) return time
  throw new InvalidArgumentError('Give a time such as 2026-01-31T08:00:00Z, or a date.')
}
