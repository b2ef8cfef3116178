import { isObject } from '../../lib/is-object.ts'
import type { Json } from './references.ts'

/** A media type of a request, and how a card encodes it. */
export interface Media {
  readonly encoding: 'json' | 'form' | 'multipart' | 'text' | 'binary'
  /** Null for the default of the encoding. */
  readonly type: string | null
  /** The Media Type Object. */
  readonly source: Json
}

/** The media types that a card can send, the best first. */
const KINDS: readonly (readonly [RegExp, Media['encoding'], 'default' | 'own'])[] = [
  [/^(application\/json|\*\/\*|application\/\*)$/, 'json', 'default'],
  [/^application\/merge-patch\+json$/, 'json', 'own'],
  [/^[\w.-]+\/([\w.-]+\+)?json$/, 'json', 'own'],
  [/^application\/x-www-form-urlencoded$/, 'form', 'default'],
  [/^multipart\/form-data$/, 'multipart', 'default'],
  [/^text\/plain$/, 'text', 'default'],
  [
    /^(text\/[\w.+-]+|application\/([\w.-]+\+)?(xml|yaml|x-ndjson|jsonl|graphql|javascript))$/,
    'text',
    'own',
  ],
  [/^application\/octet-stream$/, 'binary', 'default'],
  [/^(?!multipart\/)[\w.-]+\/([\w.+-]+|\*)$/, 'binary', 'own'],
]

/** Chooses the media type that a card sends; null if the document names none that a card can send. */
export function chooseMedia(content: Json): Media | null {
  const types = Object.keys(content)
  for (const [pattern, encoding, naming] of KINDS) {
    const found = types.find(type => pattern.test(essenceOf(type)))
    const source = found === undefined ? undefined : content[found]
    if (found === undefined || !isObject(source)) continue
    return { encoding, type: naming === 'own' ? essenceOf(found) : null, source }
  }
  return null
}

function essenceOf(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase()
}
