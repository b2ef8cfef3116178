/** JSON that is nested deeper could overflow the stack of code that walks it. */
export const MAX_NESTING = 500

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Whether a JSON text is nested more levels deep than are allowed. Linear, and does not recurse. */
export function isTooDeep(text: string, allowed = MAX_NESTING): boolean {
  if (!opensMany(text, allowed)) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) {
      at = endOfText(text, at)
    } else if (unit === 0x5b || unit === 0x7b) {
      if (++depth > allowed) return true
    } else if (unit === 0x5d || unit === 0x7d) {
      depth--
    }
  }
  return false
}

/** The same of a parsed value. */
export function isValueTooDeep(value: unknown, left = MAX_NESTING): boolean {
  if (value === null || typeof value !== 'object') return false
  if (left === 0) return true
  const members = value as Readonly<Record<string, unknown>>
  // Every input passes here, and a list of its values would be garbage at once.
  for (const name in members) {
    if (isValueTooDeep(members[name], left - 1)) return true
  }
  return false
}

/** Whether a parsed value has more than so many values in it, itself included. Looks at no more of them than that. */
export function hasMoreValues(value: unknown, most: number): boolean {
  return valuesLeft(value, most) < 0
}

/** How many more values there may be after those of this one; negative if it has too many. */
function valuesLeft(value: unknown, most: number): number {
  let left = most - 1
  if (value === null || typeof value !== 'object') return left
  const members = value as Readonly<Record<string, unknown>>
  for (const name in members) {
    if (left < 0) return left
    left = valuesLeft(members[name], left)
  }
  return left
}

/** Whether more brackets open than the levels that are allowed: much faster to find out, and true of few texts. */
function opensMany(text: string, allowed: number): boolean {
  let left = allowed
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (left-- === 0) return true
    }
  }
  return false
}

/** The index of the closing quote of the text that begins at `start`; the length if it does not end. */
function endOfText(text: string, start: number): number {
  let at = text.indexOf('"', start + 1)
  while (at !== -1 && isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at === -1 ? text.length : at
}

/** Whether an odd number of backslashes precedes. */
function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === BACKSLASH) first--
  return (at - first) % 2 === 1
}
