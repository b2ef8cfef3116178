import { isRawNumber } from './exact-json.ts'

/** Whether a value is an object with members: neither null, an array nor a raw number. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && !isRawNumber(value)
}
