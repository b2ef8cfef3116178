import { GatewayError } from './errors.ts'
import { ROUTES, type Route } from './route.ts'
import type { PageStart } from './subject.ts'

/** More items than any page holds. */
const MOST_SKIPPED = 100_000

/**
 * The place where a list continues: the route that made it, that route's own cursor, and the items to skip.
 * Opaque to callers.
 */
export interface Cursor extends PageStart {
  readonly route: Route
}

export function encodeCursor({ route, value, skip }: Cursor): string {
  const parts = skip === 0 ? [route, value] : [route, value, skip]
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** @throws {GatewayError} VALIDATION when it is not a cursor that this gateway made. */
export function decodeCursor(text: string, field: string): Cursor {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    if (Array.isArray(parsed) && parsed.length <= 3) {
      const [route, value, skip = 0] = parsed as unknown[]
      const known = ROUTES.find(name => name === route)
      if (known && isStart(value) && isSkip(skip)) return { route: known, value, skip }
    }
  } catch {
    // Fall through to one message for every fault: details would not help the caller.
  }
  throw new GatewayError(
    'VALIDATION',
    `"${field}" is not a cursor of this gateway. Use pageInfo.endCursor of the answer before, unchanged, or leave it out to start over.`,
    { source: 'caller', details: { fields: [{ path: field, message: 'is not a cursor' }] } },
  )
}

function isStart(value: unknown): value is string | null {
  return value === null || typeof value === 'string'
}

function isSkip(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MOST_SKIPPED
}
