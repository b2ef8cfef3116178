import type { JsonObject } from '../json.ts'
import { invalidRequest } from './errors.ts'

/** A text field that may be missing or null. */
export function optionalText(body: JsonObject, field: string): string | null | undefined {
  const value = body[field]
  if (value === undefined || value === null || typeof value === 'string') return value
  throw invalidRequest(`For 'properties/${field}', ${JSON.stringify(value)} is not a string.`)
}

export function requiredText(body: JsonObject, field: string): string {
  const value = optionalText(body, field)
  if (value === undefined) throw invalidRequest(`"${field}" wasn't supplied.`)
  if (value === null) throw invalidRequest(`For 'properties/${field}', nil is not a string.`)
  return value
}

/** A list of names. GitHub also accepts `{"name": …}` for labels. */
export function optionalNames(body: JsonObject, field: string): string[] | undefined {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value)) {
    throw invalidRequest(`For 'properties/${field}', ${JSON.stringify(value)} is not an array.`)
  }
  return value.map((entry, index) => nameOf(entry, `properties/${field}/${index}`))
}

function nameOf(entry: unknown, where: string): string {
  const name = typeof entry === 'object' && entry !== null && 'name' in entry ? entry.name : entry
  if (typeof name === 'string') return name
  throw invalidRequest(`For '${where}', ${JSON.stringify(entry)} is not a string.`)
}

/** A boolean field that may be missing or null. */
export function optionalFlag(body: JsonObject, field: string): boolean | undefined {
  const value = body[field] ?? undefined
  if (value === undefined || typeof value === 'boolean') return value
  throw invalidRequest(`For 'properties/${field}', ${JSON.stringify(value)} is not a boolean.`)
}
