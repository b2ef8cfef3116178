import { GatewayError } from './errors.ts'
import { ROUTES, type Route } from './outcome.ts'

/** Where a list goes on: the route that made it, and that route's own cursor. Opaque to callers. */
export interface Cursor {
  readonly route: Route
  readonly value: string
}

export function encodeCursor({ route, value }: Cursor): string {
  return Buffer.from(JSON.stringify([route, value])).toString('base64url')
}

/** @throws {GatewayError} VALIDATION when it is not a cursor that this gateway made. */
export function decodeCursor(text: string, field: string): Cursor {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    if (Array.isArray(parsed) && parsed.length === 2) {
      const [route, value] = parsed as unknown[]
      const known = ROUTES.find(name => name === route)
      if (known && typeof value === 'string') return { route: known, value }
    }
  } catch {
    // Falls through to the one message: how it is malformed helps nobody.
  }
  throw new GatewayError(
    'VALIDATION',
    `"${field}" is not a cursor of this gateway. Use pageInfo.endCursor of the answer before, unchanged, or leave it out to start over.`,
    { source: 'caller', details: { fields: [{ path: field, message: 'is not a cursor' }] } },
  )
}
