import { RestError } from './rest/errors.ts'

export type JsonObject = Record<string, unknown>

/** Parses a request body, or throws GitHub's 400. An empty body counts as an empty object. */
export function readJsonObject(text: unknown): JsonObject {
  if (typeof text !== 'string' || text === '') return {}
  const value = parse(text)
  if (!isJsonObject(value)) throw new RestError(400, 'Body should be a JSON object')
  return value
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new RestError(400, 'Problems parsing JSON', { cause })
  }
}
