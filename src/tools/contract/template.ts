import { ANY, type Segment, WORD } from './segments.ts'

export interface ReadTemplate {
  /** The paths that the template can produce. */
  readonly paths: Segment[][]
  /** The same, with lookup values as words of the path, such as `orgs` or `users`; empty without any. */
  readonly pathsWithLookups: Segment[][]
  /** Names of the query parameters in the template. */
  readonly parameters: string[]
}

/** Reads a URI template. `target` is the expression around it on the cli route, null on the rest route. */
export function readTemplate(template: string, target: string | null): ReadTemplate {
  const names = [...template.matchAll(/\{[?&]([^}]*)\}/g)].flatMap(([, list = '']) =>
    list.split(','),
  )
  const [path = '', query = ''] = template.replaceAll(/\{[?&][^}]*\}/g, '').split('?')
  const literal = [...new URLSearchParams(query).keys()]
  const segments = path.replace(/^\//, '').split('/')
  const isWord = (segment: string) => isLookup(segment, target)
  return {
    paths: pathsOf(segments),
    pathsWithLookups: segments.some(isWord) ? pathsOf(segments, isWord) : [],
    parameters: [...names.map(name => name.replace('*', '')), ...literal],
  }
}

/** True when a lookup gives the segment: `{lookup.…}`, or `{kind}` together with `kind: lookup.…`. */
function isLookup(segment: string, target: string | null): boolean {
  const [, name] = /^\{([\w.]+)\}$/.exec(segment) ?? []
  if (name === undefined) return false
  return target === null
    ? name.startsWith('lookup.')
    : new RegExp(`\\b${name}:\\s*lookup\\.`).test(target)
}

/** The most segments that `{+path}` is tried for. */
const MAX_SEGMENTS = 3

function pathsOf(
  [first, ...others]: readonly string[],
  isWord: (segment: string) => boolean = () => false,
): Segment[][] {
  if (first === undefined) return [[]]
  const rest = pathsOf(others, isWord)
  if (!/\{[+#]/.test(first)) {
    const literal = first.includes('{') ? null : first
    const segment = isWord(first) ? WORD : literal
    return rest.map(path => [segment, ...path])
  }
  const several = Array.from({ length: MAX_SEGMENTS }, (_, index) =>
    Array.from({ length: index + 1 }, (): Segment => ANY),
  )
  return several.flatMap(segments => rest.map(path => [...segments, ...path]))
}
