import { isObject } from '../lib/is-object.ts'

/** A member of an object that an expression builds: `title: input.name`, `n: to_string(input.number)`. */
const MEMBER =
  /"?([A-Za-z_][\w-]{0,99})"?\s{0,9}:\s{0,9}(?:\w{1,40}\(\s{0,9})?input\.([A-Za-z_]\w{0,99})/g
/** An expression that is one input member, perhaps converted by a function. */
const WHOLE = /^(?:\w{1,40}\(\s{0,9})?input\.([A-Za-z_]\w{0,99})\)?$/

/**
 * Finds under which names the routes of a card send its input members, so that an upstream's complaint about one
 * of its names can be translated back. The first route that uses a name wins.
 */
export function upstreamNames(
  routes: Readonly<Record<string, unknown>>,
  inputs: readonly string[],
  place: readonly string[] = [],
): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const add = (name: string, member: string | undefined) => {
    if (member === undefined || member === name || names.has(name)) return
    // The service calls the name of a label what the card calls the name of a repository.
    if (inputs.includes(name) && !place.includes(name)) return
    if (inputs.includes(member)) names.set(name, member)
  }
  const walk = (value: unknown): void => {
    if (typeof value === 'string') {
      for (const [, name = '', member] of value.matchAll(MEMBER)) add(name, member)
    } else if (Array.isArray(value)) {
      for (const item of value) walk(item)
    } else if (isObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        if (typeof member === 'string') add(key, WHOLE.exec(member.trim())?.[1])
        walk(member)
      }
    }
  }
  walk(routes)
  return names
}
