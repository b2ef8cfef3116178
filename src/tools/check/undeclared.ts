import { isObject } from '../../lib/is-object.ts'

type Json = Readonly<Record<string, unknown>>

/** Words in the names of operations that usually take away or finish something for good. */
const LAST_WORD = /^(delete|destroy|purge|erase|merge|transfer)$/

/**
 * A change that looks destructive, and whose card does not say whether it is. Keys and models rely on the answer, so an
 * author has to give it either way.
 * @returns the reason; null when there is nothing to say
 */
export function undeclaredDestruction({ id, effect, destructive, routes }: Json): string | null {
  if (effect === 'read' || destructive !== undefined) return null
  const sections = Object.values(isObject(routes) ? routes : {})
  if (sections.some(section => isObject(section) && section.method === 'DELETE')) {
    return 'sends DELETE'
  }
  const word = typeof id === 'string' ? id.split(/[._]/).find(part => LAST_WORD.test(part)) : null
  return word ? `is named ${word}` : null
}
