import { isRawNumber } from './exact-json.ts'

/**
 * About how many characters the JSON of a value has, without writing it.
 * @param most the size at which counting stops
 */
export function jsonSize(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length + 2
  if (value === null || typeof value !== 'object') return 4
  if (isRawNumber(value)) return value.rawJSON.length
  const members = value as Readonly<Record<string, unknown>>
  const isList = Array.isArray(value)
  let size = 2
  for (const name in members) {
    if (size > most) break
    size += jsonSize(members[name], most - size) + (isList ? 1 : name.length + 4)
  }
  return size
}
