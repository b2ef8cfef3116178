import { isRawNumber } from '../lib/exact-json.ts'

/** Truth in JMESPath: empty lists, objects and strings are false. */
export function isTruthy(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return false
  return typeof value !== 'object' || isRawNumber(value) || Object.keys(value).length > 0
}
