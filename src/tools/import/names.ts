import type { Effect } from '../../model/route.ts'

/** First words of an operationId, and the verbs that cards have for them. */
const VERBS: Readonly<Record<string, string>> = {
  get: 'view',
  fetch: 'view',
  retrieve: 'view',
  read: 'view',
  show: 'view',
  view: 'view',
  describe: 'view',
  list: 'list',
  find: 'list',
  index: 'list',
  query: 'list',
  search: 'search',
  create: 'create',
  post: 'create',
  add: 'add',
  update: 'update',
  patch: 'update',
  edit: 'update',
  modify: 'update',
  set: 'set',
  put: 'set',
  replace: 'set',
  delete: 'delete',
  destroy: 'delete',
  remove: 'remove',
  count: 'count',
}

/** What a name is, as words: `listPartsByOwner` and `parts/list-by-owner` alike. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '')
}

/** `listParts` is `part.list`. Null when the name does not begin or end with a verb that is known. */
export function idOfName(name: string): string | null {
  const { verb, nouns } = verbAndNouns(wordsOf(name))
  const last = nouns.at(-1)
  if (verb === undefined || last === undefined) return null
  const one = singular(last)
  const noun = [...nouns.slice(0, -1), one].join('_')
  return idOf(noun, one !== last && verb === 'view' ? 'list' : verb)
}

function verbAndNouns(words: readonly string[]) {
  const [first = '', ...others] = words
  const last = words.at(-1) ?? ''
  if (Object.hasOwn(VERBS, first)) {
    // `getPartById`: how a thing is named is no part of what it is.
    const by = others.indexOf('by')
    return { verb: VERBS[first], nouns: by > 0 ? others.slice(0, by) : others }
  }
  const verb = Object.hasOwn(VERBS, last) ? VERBS[last] : undefined
  return { verb, nouns: words.slice(0, -1) }
}

const METHOD_VERBS: Readonly<Record<string, string>> = {
  GET: 'view',
  HEAD: 'check',
  POST: 'create',
  PUT: 'set',
  PATCH: 'update',
  DELETE: 'delete',
}

/** `GET /parts` is `part.list`, `POST /parts/{sku}/reserve` is `part.reserve`. */
export function idOfPath(method: string, path: string, isList: boolean): string {
  const segments = path
    .split('/')
    .filter(segment => segment !== '' && !/^(api|rest|v\d+)$/i.test(segment))
  const isParameter = (segment: string | undefined) => segment?.includes('{') ?? false
  const literal = segments.filter(segment => !isParameter(segment)).map(wordsIn)
  const nouns = literal.map(singularPhrase).filter(noun => noun !== '')
  const last = segments.at(-1)
  const isAction =
    method === 'POST' &&
    isParameter(segments.at(-2)) &&
    !isParameter(last) &&
    wordsIn(last ?? '') === nouns.at(-1)
  if (isAction && nouns.length > 1) return idOf(nouns.slice(0, -1).join('.'), nouns.at(-1) ?? '')
  const verb = METHOD_VERBS[method] ?? method.toLowerCase()
  return idOf(nouns.join('.') || 'root', verb === 'view' && isList ? 'list' : verb)
}

function wordsIn(segment: string): string {
  return wordsOf(segment).join('_')
}

function singularPhrase(phrase: string): string {
  const words = phrase.split('_')
  return [...words.slice(0, -1), singular(words.at(-1) ?? '')].join('_')
}

export function idOf(noun: string, verb: string): string {
  const parts = [...noun.split('.'), verb].map(part => (/^[a-z]/.test(part) ? part : `x${part}`))
  return parts.join('.')
}

export function isPlural(segment: string): boolean {
  const last = wordsOf(segment).at(-1) ?? ''
  return singular(last) !== last
}

/** Of English, as far as names of things in an API need it. */
export function singular(word: string): string {
  if (/(ss|us|is|news)$/.test(word) || word.length < 4) return word
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`
  if (word.endsWith('elves')) return `${word.slice(0, -3)}f`
  if (/(sses|shes|ches|xes|zes)$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') ? word.slice(0, -1) : word
}

/** As the name of a member, which expressions and templates can hold. */
export function memberName(wire: string): string {
  if (/^[A-Za-z_]\w*$/.test(wire)) return wire
  const [first = 'value', ...others] = wordsOf(wire)
  const name = [first, ...others.map(capitalized)].join('')
  return /^\d/.test(name) ? `_${name}` : name
}

export function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** Of an upstream: what a title, or the name of a folder, gives. */
export function upstreamId(text: string): string {
  const id = wordsOf(text).join('-')
  return /^[a-z]/.test(id) ? id : `x${id}`
}

export function variablePrefix(id: string): string {
  return id.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')
}

/** What repeating a request does, by RFC 9110 §9.2. */
export function effectOf(method: string): Effect {
  if (method === 'GET' || method === 'HEAD') return 'read'
  return method === 'PUT' || method === 'DELETE' ? 'idempotent' : 'write'
}
