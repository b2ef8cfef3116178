import { type Caller, describeCaller } from '../model/caller.ts'
import { GatewayError } from '../model/errors.ts'

/**
 * @param what the end of "may not"
 * @throws {GatewayError} FORBIDDEN for a caller that is no operator
 */
export function requireOperator(caller: Caller, what: string): void {
  if (caller.operator) return
  throw new GatewayError(
    'FORBIDDEN',
    `The ${describeCaller(caller)} may not ${what}: it is no operator.`,
    { source: 'caller' },
  )
}
