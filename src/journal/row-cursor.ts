import { GatewayError } from '../model/errors.ts'

/**
 * The position where a page began or ended. A cursor has no direction: the reader pages from it to older or to
 * newer rows. It is opaque to callers; its first letter says which of the lists it belongs to.
 */
export interface Position {
  readonly key: number
  /** Among the attempts of one request; 0 in the list of requests. */
  readonly position: number
}

export type ListName = 'requests' | 'attempts' | 'audit'

export function encodeRowCursor({ key, position }: { key: number; position?: number }): string {
  const text = position === undefined ? `r${key}` : `a${key}.${position}`
  return Buffer.from(text).toString('base64url')
}

export function encodeAuditCursor(seq: number): string {
  return Buffer.from(`u${seq}`).toString('base64url')
}

/** @throws {GatewayError} VALIDATION if it is not a cursor of this list. */
export function decodeRowCursor(
  list: ListName,
  name: 'after' | 'before',
  cursor: string,
): Position {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const [, key, position] = PATTERNS[list].exec(text) ?? []
  if (key === undefined) {
    throw new GatewayError(
      'VALIDATION',
      `"${name}" is not a cursor of this list. Use pageInfo.${name === 'after' ? 'endCursor' : 'startCursor'} of a page of GET /v1/${list}, unchanged, or leave it out to start over.`,
      { source: 'caller', details: { fields: [{ path: name, message: 'is not a cursor' }] } },
    )
  }
  return { key: Number(key), position: Number(position ?? 0) }
}

/** The last row that the reader of a stream received. The row was written when its request ended. */
export interface LivePosition {
  readonly key: number
  /** Epoch milliseconds, rounded down. */
  readonly ended: number
}

export function encodeLiveId({ key, ended }: LivePosition): string {
  return `${ended}-${key}`
}

/** @throws {GatewayError} VALIDATION if it is not the id of a stream's event. */
export function decodeLiveId(id: string): LivePosition {
  const [, ended, key] = /^(\d{1,13})-(\d{1,16})$/.exec(id) ?? []
  if (ended !== undefined && Number.isSafeInteger(Number(key))) {
    return { ended: Number(ended), key: Number(key) }
  }
  throw new GatewayError(
    'VALIDATION',
    'Last-Event-ID is not an id of this stream. Send the id of the last event unchanged, or leave it out.',
    {
      source: 'caller',
      details: { fields: [{ path: 'last-event-id', message: 'is not an id of this stream' }] },
    },
  )
}

const PATTERNS = {
  requests: /^r(\d{1,15}|[1-8]\d{15})$/,
  audit: /^u(\d{1,15})$/,
  attempts: /^a(\d{1,15}|[1-8]\d{15})\.(\d{1,6})$/,
} as const satisfies Record<ListName, RegExp>
