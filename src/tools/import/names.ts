import type { Effect } from '../../model/route.ts'

/** Verbs of an operationId, and the verbs of cards for them. */
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

/** Splits a name into words: `listPartsByOwner`, and `parts/list-by-owner` too. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '')
}

/**
 * `listParts` is `part.list`. Null if the name neither begins nor ends with a known verb, or if a program made it
 * from the method and the path, whose id is easier to read then.
 */
export function idOfName(name: string, method = '', path = ''): string | null {
  const { verb, nouns } = verbAndNouns(withoutPath(wordsOf(name), method, path))
  const last = nouns.at(-1)
  if (verb === undefined || last === undefined || nouns.every(word => /^\d+$/.test(word)))
    return null
  if (repeatsPath(nouns, path)) return null
  const one = singular(last)
  const noun = [...nouns.slice(0, -1), one].join('_')
  return idOf(noun, one !== last && verb === 'view' ? 'list' : verb)
}

/** FastAPI appends path and method to the name of the function: `read_item_items__item_id__get`. */
function withoutPath(words: readonly string[], method: string, path: string): readonly string[] {
  const appended = [...wordsOf(path), method.toLowerCase()]
  const rest = words.slice(0, -appended.length)
  const isAppended =
    rest.length > 0 && words.slice(-appended.length).join(' ') === appended.join(' ')
  return isAppended && path !== '' ? rest : words
}

/** True for the words of `getV1AccountsAccountCards`, which add nothing to `/v1/accounts/{account}/cards`. */
function repeatsPath(words: readonly string[], path: string): boolean {
  const inPath = new Set(wordsOf(path).map(singular))
  const hasVersion = words.some(word => /^v\d+$/.test(word) && inPath.has(word))
  return (words.length > 2 || hasVersion) && words.every(word => inPath.has(singular(word)))
}

function verbAndNouns(words: readonly string[]) {
  const [first = '', ...others] = words
  const last = words.at(-1) ?? ''
  if (Object.hasOwn(VERBS, first)) {
    // In `getPartById`, `ById` only says how to find the part.
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
  const literal = segments.filter(segment => !isParameter(segment)).map(wordsIn)
  const nouns = literal.map(singularPhrase).filter(noun => noun !== '')
  if (method === 'POST' && nouns.length > 1 && endsWithAction(segments)) {
    return idOf(nouns.slice(0, -1).join('.'), nouns.at(-1) ?? '')
  }
  const verb = METHOD_VERBS[method] ?? method.toLowerCase()
  return idOf(nouns.join('.') || 'root', verb === 'view' && isList ? 'list' : verb)
}

/** True for `…/{sku}/reserve`: a word after a parameter, and not in the plural as `…/{sku}/notes`. */
function endsWithAction(segments: readonly string[]): boolean {
  const [owner, last] = segments.slice(-2)
  if (owner === undefined || last === undefined) return false
  const words = wordsIn(last)
  return isParameter(owner) && !isParameter(last) && words !== '' && words === singularPhrase(words)
}

function isParameter(segment: string): boolean {
  return segment.includes('{')
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

/** The longest tool name that all model providers accept. */
export const MAX_ID = 64

/** Shortens an id to a valid name of a tool: drops the outer nouns first, then the first words of the last. */
export function shortId(id: string, max = MAX_ID): string {
  if (id.length <= max) return id
  const [verb = 'run', noun = '', ...outer] = id.split('.').toReversed()
  for (let kept = outer.length - 1; kept >= 0; kept--) {
    const shorter = [...outer.slice(0, kept).toReversed(), noun, verb].join('.')
    if (shorter.length <= max) return shorter
  }
  const room = max - verb.length - 1
  const words = noun.split('_')
  const tails = words.map((_, index) => words.slice(index).join('_'))
  const fitting = tails.find(tail => tail.length <= room && /^[a-z]/.test(tail))
  return `${fitting ?? noun.slice(0, Math.max(1, room))}.${verb}`.slice(0, max)
}

export function isPlural(segment: string): boolean {
  const last = wordsOf(segment).at(-1) ?? ''
  return singular(last) !== last
}

/** The singular of an English noun, well enough for names in an API. */
export function singular(word: string): string {
  if (/(ss|us|is|news)$/.test(word) || word.length < 4) return word
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`
  if (word.endsWith('elves')) return `${word.slice(0, -3)}f`
  if (/(sses|shes|ches|xes|zes)$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') ? word.slice(0, -1) : word
}

/** Turns a name into an identifier, which expressions and templates accept. */
export function memberName(wire: string): string {
  if (/^[A-Za-z_]\w*$/.test(wire)) return wire
  const [first = 'value', ...others] = wordsOf(wire)
  const name = [first, ...others.map(capitalized)].join('')
  return /^\d/.test(name) ? `_${name}` : name
}

export function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** Turns a title, or the name of a folder, into the id of an upstream. */
export function upstreamId(text: string): string {
  const id = wordsOf(text).join('-')
  return /^[a-z]/.test(id) ? id : `x${id}`
}

export function variablePrefix(id: string): string {
  return id.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')
}

/** The effect of a method by RFC 9110 §9.2. */
export function effectOf(method: string): Effect {
  if (method === 'GET' || method === 'HEAD') return 'read'
  return method === 'PUT' || method === 'DELETE' ? 'idempotent' : 'write'
}
