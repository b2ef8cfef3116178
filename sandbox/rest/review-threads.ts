import { isJsonObject, type JsonObject } from '../json.ts'
import type { DiffSide } from '../store/review-entities.ts'
import type { NewThread } from '../store/review-threads.ts'
import { requiredText } from './body.ts'
import { invalidRequest } from './errors.ts'

/** The threads that the `comments` of a new review start. */
export function threadsIn({ comments }: JsonObject): NewThread[] {
  if (comments === undefined || comments === null) return []
  if (!Array.isArray(comments)) throw invalidRequest("For 'properties/comments', is not an array.")
  return comments.map(threadIn)
}

function threadIn(comment: unknown): NewThread {
  if (!isJsonObject(comment)) throw invalidRequest("For 'comments/items', is not an object.")
  if (comment.position !== undefined) throw new Error('sandbox: position is not modelled')
  const line = numberOrNull(comment, 'line')
  // Comments on whole files need `subject_type`, which this endpoint does not have.
  if (line === null) throw invalidRequest('"position" wasn\'t supplied.')
  return {
    path: requiredText(comment, 'path'),
    body: requiredText(comment, 'body'),
    line,
    side: sideIn(comment, 'side') ?? 'RIGHT',
    startLine: numberOrNull(comment, 'start_line'),
    startSide: sideIn(comment, 'start_side'),
  }
}

function numberOrNull(comment: JsonObject, field: string): number | null {
  const value = comment[field]
  if (value === undefined) return null
  if (Number.isInteger(value)) return Number(value)
  throw invalidRequest(`For 'items/${field}', ${JSON.stringify(value)} is not an integer.`)
}

function sideIn(comment: JsonObject, field: string): DiffSide | null {
  const side = comment[field]
  if (side === undefined) return null
  if (side === 'LEFT' || side === 'RIGHT') return side
  throw invalidRequest(`For 'items/${field}', ${JSON.stringify(side)} is not LEFT or RIGHT.`)
}
