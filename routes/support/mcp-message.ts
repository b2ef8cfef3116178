import { isObject } from '../../src/lib/is-object.ts'

/**
 * The message with `arguments: null` of a call left out: models write null for a tool that needs no arguments, and the library
 * of the protocol refuses it.
 */
export function withoutNullArguments(message: unknown): unknown {
  if (!isObject(message) || message.method !== 'tools/call') return message
  const { params } = message
  if (!isObject(params) || params.arguments !== null) return message
  const { arguments: _, ...others } = params
  return { ...message, params: others }
}
