/** The options of calls, and how the client sends each: the only place that names both. */
import type { ProfileName } from '../src/model/profile-name.ts'
import type { Route } from '../src/model/route.ts'

/** Options of a call, alone or in a batch, that leave the form of its answer as it is. */
interface SharedOptions {
  /** Makes a change at most once, however often the call is repeated. */
  readonly idempotencyKey?: string
  readonly timeoutMs?: number
  readonly route?: Route
  /** For reads: takes an answer from the gateway's memory that is younger. @default none */
  readonly maxAgeMs?: number
  /** For reads: if every route fails, takes an answer that is older than `maxAgeMs` by less than this. @default none */
  readonly staleIfErrorMs?: number
  /** The most tokens of the answer. Longer lists and texts are cut, and say so. @default no limit */
  readonly tokenBudget?: number
  /** The id of the approval that a person has given for the call. */
  readonly approval?: string
  /** Why you make the call, for the person who has to approve it. */
  readonly reason?: string
  /** Your own id for the call, by which the journal finds it. */
  readonly correlationId?: string
}

/** Without a choice, `data` is whole and the answer is an envelope of the client's own dialect. */
interface WholeAnswer {
  readonly fields?: undefined
  readonly profile?: 'default'
}

/** Options that HTTP has for a whole request. */
export interface RequestOptions {
  /** Aborts the call; the promise then rejects with its reason. */
  readonly signal?: AbortSignal
  /** For reads: sends nothing; what is not in the gateway's memory fails. @default false */
  readonly onlyIfCached?: boolean
  /** For reads: the gateway does not keep the answer. @default false */
  readonly noStore?: boolean
  /** For reads: an answer of any age will do. @default false */
  readonly maxStale?: boolean
  /** The trace that the call is part of (W3C Trace Context). */
  readonly traceparent?: string
  /** The languages of hints, such as `de, en`. @default English */
  readonly language?: string
}

/** Options that ask for another form of the answer. */
export interface Partly {
  /** Members of `data` to return, such as `items.number,items.title`. The answer lacks all others. */
  readonly fields: string
  readonly profile?: 'default'
}
export interface InDialect {
  /** The dialect of the answer. Its type is not known, except of `default`. */
  readonly profile: ProfileName
  readonly fields?: string
}

export interface CallOptions extends SharedOptions, RequestOptions, WholeAnswer {}
export interface PartlyOptions extends SharedOptions, RequestOptions, Partly {}
export interface DialectOptions extends SharedOptions, RequestOptions, InDialect {}

interface StepOptions extends SharedOptions {
  /** Calls that have to succeed first, beside those whose results the input uses. */
  readonly needs?: readonly { readonly id: string }[]
}
/** The results of a batch are envelopes of the client's own dialect, so its calls choose none. */
export interface BatchOptions extends StepOptions, WholeAnswer {}
export interface PartlyBatchOptions extends StepOptions, Partly {}

/** The options of a batch as a whole. */
export interface WholeBatchOptions extends RequestOptions, Pick<SharedOptions, 'timeoutMs'> {
  /** Begins no further call once one has failed. @default false */
  readonly stopOnError?: boolean
  /** The most tokens of the whole answer. Longer lists and texts are cut, and say so. @default no limit */
  readonly tokenBudget?: number
}

/** Data of which only some members were asked for. */
export type SomeOf<Data> = Data extends readonly (infer Item)[]
  ? readonly SomeOf<Item>[]
  : Data extends object
    ? { readonly [Name in keyof Data]?: SomeOf<Data[Name]> }
    : Data

export type AnyCallOptions = CallOptions | PartlyOptions | DialectOptions
export type AnyBatchOptions = BatchOptions | PartlyBatchOptions
type Name = keyof CallOptions

/** Options that are query parameters of a call, and members of a call of a batch. */
export const PARAMETERS = {
  route: 'route',
  timeoutMs: 'timeout_ms',
  maxAgeMs: 'max_age_ms',
  staleIfErrorMs: 'stale_if_error_ms',
  fields: 'fields',
  tokenBudget: 'token_budget',
  profile: 'profile',
} as const satisfies Partial<Record<Name, string>>

/** Options that are headers of a call, and members of a call of a batch. */
export const WORDS = {
  idempotencyKey: { header: 'idempotency-key', member: 'idempotency_key' },
  approval: { header: 'signalbox-approval', member: 'approval' },
  reason: { header: 'signalbox-reason', member: 'reason' },
  correlationId: { header: 'x-correlation-id', member: 'correlation_id' },
} as const satisfies Partial<Record<Name, { header: string; member: string }>>

/** Directives of Cache-Control that no parameter has. */
export const DIRECTIVES = {
  onlyIfCached: 'only-if-cached',
  noStore: 'no-store',
  maxStale: 'max-stale',
} as const satisfies Partial<Record<Name, string>>

/** Options that are headers of a whole request. */
export const HEADERS = {
  traceparent: 'traceparent',
  language: 'accept-language',
} as const satisfies Partial<Record<Name, string>>

/** The option that gives a header its value. */
export const OPTION_OF: Readonly<Record<string, string>> = {
  authorization: 'key',
  'x-upstream-authorization': 'upstreamAuthorization',
  ...Object.fromEntries(Object.entries(WORDS).map(([name, { header }]) => [header, name])),
  ...Object.fromEntries(Object.entries(HEADERS).map(([name, header]) => [header, name])),
}

type Given = Readonly<Record<string, unknown>>

export type Query = Readonly<Record<string, string | number | undefined>>

export function queryOf(options: AnyCallOptions): Query {
  return renamed(options as Given, PARAMETERS) as Query
}

export function headersOf(
  options: AnyCallOptions | WholeBatchOptions,
): Readonly<Record<string, string>> {
  const names = Object.entries(WORDS).map(([name, { header }]) => [name, header])
  const given = options as Given
  const directives = Object.entries(DIRECTIVES).filter(([name]) => given[name] === true)
  const { reason } = given
  return {
    ...(renamed(given, { ...Object.fromEntries(names), ...HEADERS }) as Record<string, string>),
    ...(typeof reason === 'string' ? { [WORDS.reason.header]: inUtf8(reason) } : {}),
    ...(directives.length === 0
      ? {}
      : { 'cache-control': directives.map(([, directive]) => directive).join(', ') }),
  }
}

/** A text of people as a header carries it: a character for each byte. */
function inUtf8(text: string): string {
  return Array.from(new TextEncoder().encode(text), byte => String.fromCharCode(byte)).join('')
}

/** The options of a call of a batch, as members of it. */
export function membersOf(options: AnyBatchOptions): Readonly<Record<string, unknown>> {
  const names = Object.entries(WORDS).map(([name, { member }]) => [name, member])
  return {
    ...(options.needs ? { needs: options.needs.map(need => need.id) } : {}),
    ...renamed(options as Given, { ...PARAMETERS, ...Object.fromEntries(names) }),
  }
}

/** The options that are given, under the names of the gateway. */
function renamed(options: Given, names: Readonly<Record<string, string>>): Given {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, theirs]) =>
      options[name] === undefined ? [] : [[theirs, options[name]]],
    ),
  )
}
