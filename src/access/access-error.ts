import { GatewayError, type GatewayErrorOptions } from '../model/errors.ts'

/** The fault of a request's credential, as a code of RFC 6750. */
export type TokenFault = 'invalid_request' | 'invalid_token' | 'insufficient_scope'

const CODES = {
  invalid_request: ['VALIDATION', 400],
  invalid_token: ['AUTH', 401],
  insufficient_scope: ['FORBIDDEN', 403],
} as const

/** The refusal of a request for its credential. The answer names the fault in WWW-Authenticate too. */
export class AccessError extends GatewayError {
  readonly fault: TokenFault

  constructor(fault: TokenFault, message: string, options: GatewayErrorOptions = {}) {
    const [code, status] = CODES[fault]
    super(code, message, { source: 'caller', status, ...options })
    this.fault = fault
  }
}
