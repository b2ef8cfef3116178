import { globSync, readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { COMPILED } from '../../../adapters/failures/phrases/meaning-of-text.ts'
import { isObject } from '../../../src/lib/is-object.ts'

export interface Pattern {
  readonly place: string
  readonly regex: RegExp
}

/** These run only over files that an operator wrote, when they are loaded, or in a command. */
const NOT_ON_THE_WAY =
  /^src\/(?:tools|commands)\/|^src\/cards\/(?:interpolate|upstream-names)\.ts|^adapters\/graphql\/document\.ts/

/** Every regular expression that a request or an upstream's answer can meet. */
export function shippedPatterns(): Pattern[] {
  const phrases = COMPILED.map(({ pattern }, index) => ({
    place: `phrases, group ${index}`,
    regex: pattern,
  }))
  return [...literals(), ...phrases, ...cardPatterns('capabilities/**/*.yaml')]
}

const LITERAL =
  /(?<=[=(,:[!&|?]\s*|^\s*)\/(?![/*])((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/gm

function literals(): Pattern[] {
  const files = globSync(['src/**/*.ts', 'adapters/**/*.ts', 'routes/**/*.ts'])
  return files
    .filter(file => !NOT_ON_THE_WAY.test(file))
    .flatMap(file =>
      [...readFileSync(file, 'utf8').matchAll(LITERAL)].flatMap(([, source = '', flags]) =>
        toPattern(file, source, flags),
      ),
    )
}

/** A text between two slashes of a comment may be no pattern. */
function toPattern(place: string, source: string, flags = ''): Pattern[] {
  try {
    return [{ place, regex: new RegExp(source, flags) }]
  } catch {
    return []
  }
}

/** The patterns of schemas, and those of failure rules. */
export function cardPatterns(files: string): Pattern[] {
  return globSync(files).flatMap(file => {
    const found: Pattern[] = []
    visit(load(readFileSync(file, 'utf8')), file, found)
    return found
  })
}

function visit(value: unknown, file: string, found: Pattern[]): void {
  if (Array.isArray(value)) for (const item of value) visit(item, file, found)
  if (!isObject(value)) return
  const { pattern, when } = value
  if (typeof pattern === 'string') found.push({ place: file, regex: new RegExp(pattern, 'u') })
  if (isObject(when)) {
    const { message, stderr, header } = when
    const texts = [message, stderr, ...Object.values(isObject(header) ? header : {})]
    for (const text of texts)
      if (typeof text === 'string') found.push(...toPattern(file, text, 'i'))
  }
  for (const member of Object.values(value)) visit(member, file, found)
}
