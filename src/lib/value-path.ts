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
