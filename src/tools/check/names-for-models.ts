import { isObject } from '../../lib/is-object.ts'
import type { KeyPath } from '../../lib/yaml-source.ts'

/** The names of members that every provider of models takes. */
const NAME = /^[A-Za-z_]\w{0,63}$/

export interface RefusedName {
  readonly path: KeyPath
  readonly name: string
}

/**
 * Finds the members of an input, at any depth, by whose names a provider of models would refuse the tool, and with it every
 * request that lists the tool.
 */
export function refusedNames(input: unknown, path: KeyPath = ['input']): readonly RefusedName[] {
  if (!isObject(input)) return []
  const members = Object.entries(isObject(input.properties) ? input.properties : {})
  return [
    ...members.flatMap(([name, member]) => {
      const at = [...path, 'properties', name]
      const inner = refusedNames(member, at)
      return NAME.test(name) ? inner : [{ path: at, name }, ...inner]
    }),
    ...refusedNames(input.items, [...path, 'items']),
  ]
}
