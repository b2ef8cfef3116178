import { isObject } from '../../lib/is-object.ts'
import { listPlace } from './list-place.ts'
import { deref, type Json, listOf, textOf } from './references.ts'

/** How the document pages through a list, and how a card says so. */
export interface Paging {
  /** Names of the parameters that the card sends by itself, in lower case. */
  readonly replaced: readonly string[]
  readonly query: Readonly<Record<string, string>>
  /** The expression that reads the raw list, and the schema of that list in the document. */
  readonly items: string
  readonly list: Json
  /** Makes `pageInfo` from the answer; null for numbered pages, which the gateway counts itself. */
  readonly pageInfo: string | null
  /** The most items on a page. */
  readonly largest: number
  /** Comment for the author. */
  readonly note: string
}

interface Parameter {
  readonly name: string
  readonly schema: Json
}

const SIZE = /^(per_?page|page_?size|limit|max_?results|first|count|size|\$top|page\[size\])$/i
const NUMBER = /^(page|page_?number|page_?no|page\[number\])$/i
const OFFSET = /^(offset|skip|start_?at|\$skip|page\[offset\])$/i
const CURSOR =
  /^(cursor|(next_?|page_?|continuation_?|pagination_?)token|after|starting_after|page\[(cursor|after)\]|next_?cursor|marker|start_?cursor|page_?cursor)$/i
/** Members of an answer that hold the next cursor, or the address of the next page. */
const NEXT_CURSOR =
  /^(next_?cursor|next_?(page_?)?token|next_?page_?cursor|end_?cursor|continuation_?token|next_?marker)$/i
const NEXT_URL = /^(next|next_?(page_?)?(url|uri|link|href))$/i
const MORE = /^(has_?more|has_?next(_?page)?)$/i
/** Without a limit in the document, the page that services send unasked. */
const USUAL_SIZE = 30
const FULL_PAGE = 100

/** Recognizes the pages of a list that a document describes; null if it does not describe enough. */
export function recognizePaging(
  parameters: readonly unknown[],
  responses: unknown,
  document: Json,
): Paging | null {
  const inQuery = listOf(parameters)
    .map(one => deref(document, one))
    .filter(one => one.in === 'query')
    .map(one => ({ name: textOf(one.name) ?? '', schema: deref(document, one.schema) }))
  const size = inQuery.find(({ name }) => SIZE.test(name))
  const list = listPlace(responses, document)
  if (!size || !list) return null
  if (inQuery.some(({ name }) => /^(after|first)$/.test(name) && !isReplaced(name))) return null
  const find = (pattern: RegExp) => inQuery.find(one => pattern.test(one.name) && one !== size)
  const whole = { size, list, items: list.path }
  return (
    byCursor(find(CURSOR), whole) ??
    byNumber(find(NUMBER), whole) ??
    byOffset(find(OFFSET), whole) ??
    byToken(find(OFFSET), whole) ??
    byUrl(find(/^(page|offset|cursor|skip|start|token)$/i), whole)
  )
}

/** Other parameters of these names would take the members that callers page with. */
function isReplaced(name: string): boolean {
  return CURSOR.test(name) || SIZE.test(name)
}

interface Whole {
  readonly size: Parameter
  readonly list: NonNullable<ReturnType<typeof listPlace>>
  readonly items: string
}

function byCursor(cursor: Parameter | undefined, whole: Whole): Paging | null {
  const found = cursor ? nextCursor(cursor.name, whole) : null
  return cursor && found ? cursorPaging(cursor, found, whole) : null
}

function cursorPaging({ name }: Parameter, next: NextCursor, { size, list, items }: Whole): Paging {
  return {
    replaced: [name, size.name],
    query: { [name]: 'input.after', [size.name]: 'input.first' },
    items,
    list: list.schema,
    pageInfo: `{hasNextPage: ${next.more}, endCursor: ${next.end}}`,
    largest: largestOf(size),
    note: `Paged by ${name} and ${size.name}: the next cursor stands ${next.how}. Try two pages before you rely on it.`,
  }
}

interface NextCursor {
  readonly end: string
  readonly more: string
  readonly how: string
}

function nextCursor(parameter: string, { list, items }: Whole): NextCursor | null {
  const memberLike = (pattern: RegExp) => list.others.find(({ name }) => pattern.test(name))?.path
  const [next, url, more] = [memberLike(NEXT_CURSOR), memberLike(NEXT_URL), memberLike(MORE)]
  if (next !== undefined) return fromValue(next, 'in the answer')
  if (more !== undefined && /^starting_after$/i.test(parameter)) {
    const last = `${items}[-1].id`
    return {
      end: `(${last} && to_string(${last}) || \`null\`)`,
      more,
      how: 'in the id of the last item',
    }
  }
  if (url !== undefined) return fromAddress(url, parameter)
  return list.hasLink ? fromLink(parameter) : null
}

function fromValue(path: string, how: string) {
  const end = `(${path} && to_string(${path}) || \`null\`)`
  return { end, more: `not_null(${path}, '') != ''`, how }
}

/** The address of the next page names its cursor, as a link in a header does. */
function fromAddress(path: string, parameter: string) {
  const link = `join('', ['<', not_null(${path}, ''), '>; rel="next"'])`
  const end = `link_param(${link}, 'next', '${parameter}')`
  return { end, more: `not_null(${path}, '') != ''`, how: 'in the address of the next page' }
}

function fromLink(parameter: string) {
  const end = `link_param(headers.link, 'next', '${parameter}')`
  return { end, more: `${end} != \`null\``, how: 'in the header Link' }
}

function byNumber(number: Parameter | undefined, whole: Whole): Paging | null {
  // Some services count pages from 0, and some give them names.
  const first = Number(number?.schema.minimum ?? number?.schema.default ?? 1)
  if (!number || number.schema.type === 'string' || first === 0) return null
  return numbered(number, 'page.number', whole)
}

function byOffset(offset: Parameter | undefined, whole: Whole): Paging | null {
  if (!offset || offset.schema.type === 'string') return null
  return numbered(offset, '(page.number - `1`) * page.size', whole)
}

/** A token under the name of a number: the answer then has a member of that name, such as `next_page.offset`. */
function byToken(parameter: Parameter | undefined, whole: Whole): Paging | null {
  if (parameter?.schema.type !== 'string') return null
  const next = whole.list.others.find(
    ({ name, path }) => name === parameter.name && /\bnext/i.test(path),
  )
  return next ? cursorPaging(parameter, fromValue(next.path, 'in the answer'), whole) : null
}

function numbered(parameter: Parameter, value: string, { size, list, items }: Whole): Paging {
  const largest = largestOf(size)
  return {
    replaced: [parameter.name, size.name],
    query: { [size.name]: 'page.size', [parameter.name]: value },
    items,
    list: list.schema,
    pageInfo: null,
    largest,
    note: `Paged by ${parameter.name} and ${size.name}, ${largest} items at most. Correct pages.largest if the service sends fewer or more.`,
  }
}

function byUrl(parameter: Parameter | undefined, whole: Whole): Paging | null {
  const url = whole.list.others.find(({ name }) => NEXT_URL.test(name))
  if (!parameter || !url) return null
  return cursorPaging(parameter, fromAddress(url.path, parameter.name), whole)
}

/** A service that sends smaller pages than asked would end the list early, so doubt makes the page smaller. */
function largestOf({ schema }: Parameter): number {
  const said = isObject(schema) ? (schema.maximum ?? schema.default) : undefined
  const number = typeof said === 'number' && Number.isInteger(said) && said > 0 ? said : USUAL_SIZE
  return Math.min(number, FULL_PAGE)
}
