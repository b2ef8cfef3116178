import { oneLine, shorten } from '../../lib/text.ts'
import type { JsonSchema } from '../../model/card.ts'
import { textOf } from './references.ts'

const MAX_LENGTH = 300

/** The `description` of a schema, shortened to one line; an empty object without a text. */
export function describedBy(text: unknown): JsonSchema {
  const whole = textOf(text)
  // Some texts are whole pages.
  return whole === null
    ? {}
    : { description: shorten(oneLine(whole.slice(0, 4 * MAX_LENGTH)), MAX_LENGTH) }
}
