/**
 * The tables of a journal, the same in every database. The rows of a request also have a `key` (see keys.ts),
 * which the writer gives them.
 */

export type Column = string | number | null

/** Columns with the key that they have in the database. */
export type Keyed<Columns> = Columns & { readonly key: number }

/** Table `requests`: what lists show and filter by. Small on purpose; the rest is in `request_details`. */
export interface RequestColumns {
  readonly request_id: string
  readonly time: number
  readonly caller: string
  readonly capability_id: string | null
  readonly ok: 0 | 1
  readonly code: string | null
  readonly route_used: string | null
  readonly reason: string | null
  readonly http_status: number
  readonly duration_ms: number
  readonly attempts: number
  readonly write_outcome: string | null
  /** The caller's own id for the request. */
  readonly correlation_id: string | null
  /** The request id of the batch that the request was a call of. */
  readonly batch_id: string | null
  /** The step of the batch, and the position of its item. */
  readonly batch_step: string | null
  readonly batch_item: number | null
  /**
   * 1 for a success on the first try: retention deletes it earlier than a failure or a fallback. `SOLE` if its
   * only attempt has no row in `attempts` either: most requests are like that, and their `meta` has the attempt.
   */
  readonly plain: 0 | 1 | typeof SOLE
}

export const SOLE = 2

export const REQUEST_COLUMNS = [
  'request_id',
  'time',
  'caller',
  'capability_id',
  'ok',
  'code',
  'route_used',
  'reason',
  'http_status',
  'duration_ms',
  'attempts',
  'write_outcome',
  'correlation_id',
  'batch_id',
  'batch_step',
  'batch_item',
  'plain',
] as const satisfies (keyof RequestColumns)[]

/** The source of a row of the list: of the details, `meta` has the attempts, and `answer_from` says whose they are. */
export type ListedColumns = RequestColumns & Pick<DetailColumns, 'meta' | 'answer_from'>

/** A request that is in the database now, as its row of the list needs it. */
export type Written = Keyed<ListedColumns>

/** Table `request_details`: what only the page of one request shows. Most are JSON. */
export interface DetailColumns {
  readonly upstream: string | null
  readonly effect: string | null
  readonly plan: string | null
  readonly error: string | null
  readonly meta: string | null
  readonly input: string | null
  readonly data: string | null
  /** The facts that a replay of the decisions needs beyond those in the answer. */
  readonly trace: string | null
  /** The other request that the answer comes from, if it does. */
  readonly answer_from: string | null
  /** The options of the call, if it had any. */
  readonly asked_options: string | null
  /** Hash of its Idempotency-Key, see key-hash.ts. It is no JSON either. */
  readonly key_hash: string | null
  /** The approval by which it ran, for which it waits, or that refused it. An id, no JSON. */
  readonly approval_id: string | null
}

export const JSON_COLUMNS = [
  'plan',
  'error',
  'meta',
  'input',
  'data',
  'trace',
  'answer_from',
  'asked_options',
] as const satisfies (keyof DetailColumns)[]

export const DETAIL_COLUMNS = [
  'upstream',
  'effect',
  ...JSON_COLUMNS,
  'key_hash',
  'approval_id',
] as const

/** Table `attempts`: one row an attempt, skipped ones included. The attempts of `SOLE` requests have none. */
export interface AttemptColumns {
  readonly position: number
  readonly request_id: string
  readonly time: number
  readonly capability_id: string | null
  readonly caller: string
  readonly route: string
  readonly status: string
  readonly code: string | null
  readonly reason: string | null
  readonly duration_ms: number | null
  readonly upstream_status: number | null
  readonly next: string | null
  /** `verify` for a read that checked on a write; its `capability_id` is that of the read. */
  readonly purpose: string | null
}

export const ATTEMPT_COLUMNS = [
  'position',
  'request_id',
  'time',
  'capability_id',
  'caller',
  'route',
  'status',
  'code',
  'reason',
  'duration_ms',
  'upstream_status',
  'next',
  'purpose',
] as const satisfies (keyof AttemptColumns)[]

/**
 * Table `intents`: the writes in flight. Recording a request deletes its intent, which has the same id and time.
 */
export interface IntentColumns extends Record<string, Column> {
  readonly request_id: string
  readonly time: number
  readonly caller: string
  readonly capability_id: string
  readonly route: string
  readonly correlation_id: string | null
  readonly batch_id: string | null
  readonly batch_step: string | null
  readonly batch_item: number | null
  readonly upstream: string | null
  readonly effect: string | null
  readonly key_hash: string | null
}

/** The columns that came after the first version. */
const LATER = { correlation_id: null, batch_id: null, batch_step: null, batch_item: null } as const

const LATER_DETAILS = {
  answer_from: null,
  asked_options: null,
  key_hash: null,
  approval_id: null,
} as const

/** Rows that an older version left in a file lack the columns that came later. */
interface OlderRows {
  readonly request: Omit<RequestColumns, keyof typeof LATER>
  readonly details: Omit<DetailColumns, keyof typeof LATER_DETAILS>
  readonly attempts: readonly Omit<AttemptColumns, 'purpose'>[]
}

export function withAllColumns({ request, details, attempts }: OlderRows): RequestRows {
  return {
    request: { ...LATER, ...request },
    details: { ...LATER_DETAILS, ...details },
    attempts: attempts.map(attempt => ({ purpose: null, ...attempt })),
  }
}

export interface RequestRows {
  readonly request: RequestColumns
  readonly details: DetailColumns
  readonly attempts: readonly AttemptColumns[]
}
