/** The value at a dotted path; own members only. */
export function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>(ownMember, value)
}

/** Copies a value with another one at a dotted path. */
export function replaceAt(value: unknown, path: string, replacement: unknown): unknown {
  const [name = '', ...rest] = path.split('.')
  const below =
    rest.length === 0 ? replacement : replaceAt(ownMember(value, name), rest.join('.'), replacement)
  return { ...(value as object), [name]: below }
}

function ownMember(value: unknown, name: string): unknown {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}

/**
 * The dotted path of a member, or of an item of a list member, that is this text; null if there is none.
 * The preferred one, if there are several.
 */
export function memberHolding(value: unknown, text: unknown, preferred: string): string | null {
  if (typeof text !== 'string' || value === null || typeof value !== 'object') return null
  if (ownMember(value, preferred) === text) return preferred
  for (const [name, member] of Object.entries(value)) {
    if (member === text) return name
    const index = Array.isArray(member) ? member.indexOf(text) : -1
    if (index !== -1) return `${name}.${index}`
  }
  return null
}
