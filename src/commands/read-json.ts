import { parseJson } from '../lib/exact-json.ts'
import { isTooDeep, MAX_NESTING } from '../lib/nesting.ts'
import { GatewayError } from '../model/errors.ts'

/** @param source for messages. @throws {GatewayError} VALIDATION */
export function readJson(value: string, source: string): unknown {
  if (isTooDeep(value)) throw tooDeep(source)
  try {
    return parseJson(value)
  } catch (error) {
    throw invalid(`${source} is not JSON: ${(error as Error).message}`)
  }
}

export function tooDeep(source: string): GatewayError {
  return invalid(`${source} is nested more than ${MAX_NESTING} levels deep`)
}

/** Advises to correct the body, as the endpoint does. */
export function invalid(message: string): GatewayError {
  return new GatewayError('VALIDATION', `${message}.`, {
    source: 'caller',
    details: { fields: [{ path: 'body', message }] },
  })
}
