import type { Caller } from '../model/caller.ts'
import { GatewayError } from '../model/errors.ts'

/**
 * @param what the end of "may not"
 * @throws {GatewayError} FORBIDDEN for a key that is no operator
 */
export function requireOperator(caller: Caller, what: string): void {
  if (caller.operator) return
  throw new GatewayError(
    'FORBIDDEN',
    `The gateway key "${caller.name}" may not ${what}: it is no operator.`,
    { source: 'caller' },
  )
}
