import { isRawNumber } from './exact-json.ts'
import { percentEncode } from './percent-encoding.ts'
import { singleText, ValueError } from './value-error.ts'

/** How the lists and objects of a query or a form are written. */
export const PARAMETER_STYLES = [
  'repeat',
  'comma',
  'space',
  'pipe',
  'brackets',
  'indexed',
  'members',
  'json',
] as const
export type ParameterStyle = (typeof PARAMETER_STYLES)[number]

export interface ParameterForm {
  readonly name: string
  readonly style: ParameterStyle
  /** Whether an empty list is sent as `name=`. */
  readonly keepEmpty: boolean
  /** With `members`: the names that no member may have, because other parameters have them. */
  readonly taken: ReadonlySet<string>
}

/** The form of a parameter about which a card says no more than its name. */
export function plainParameter(name: string): ParameterForm {
  return { name, style: 'repeat', keepEmpty: false, taken: NO_NAMES }
}

const NO_NAMES: ReadonlySet<string> = new Set()

/**
 * Writes a parameter as percent-encoded `name=value` pairs. Delimiters stay plain, and are encoded inside a value, so
 * that a server that splits before it decodes finds the values that were sent. Null gives nothing.
 * @throws {ValueError} for a value that the style cannot hold
 */
export function writeParameter(form: ParameterForm, value: unknown): string[] {
  const { name, style, keepEmpty } = form
  if (value === null || value === undefined) return []
  if (style === 'json') return [pair(name, name, JSON.stringify(value))]
  if (!isMany(value)) return [pair(name, name, singleText(name, value))]
  const isEmptyList = isList(value) && value.length === 0
  if (!isEmptyList) return WRITERS[style](form, value)
  return keepEmpty ? [pair(name, style === 'brackets' ? `${name}[]` : name, '')] : []
}

type Many = readonly unknown[] | Readonly<Record<string, unknown>>
type Writer = (form: ParameterForm, value: Many) => string[]

const WRITERS = {
  repeat: ({ name }, value) => repeated(name, value),
  comma: (form, value) => delimited(form, value, ','),
  space: (form, value) => delimited(form, value, '%20'),
  pipe: (form, value) => delimited(form, value, '|'),
  brackets: (form, value) => bracketed(form, form.name, value),
  indexed: (form, value) => bracketed(form, form.name, value),
  members: writeMembers,
  json: () => [],
} satisfies Record<ParameterStyle, Writer>

/** Refuses an object: a caller must not add structure where the card expects plain values. */
function repeated(name: string, value: Many): string[] {
  if (!isList(value)) throw new ValueError(name, value, 'must be a single value or a list')
  return value.filter(isGiven).map(item => pair(name, name, singleText(name, item)))
}

/** Lists are `a,b`, objects `name,value,name,value`. */
function delimited({ name }: ParameterForm, value: Many, delimiter: string): string[] {
  const items = isList(value)
    ? value.filter(isGiven)
    : Object.entries(value)
        .filter(([, member]) => isGiven(member))
        .flat()
  const texts = items.map(item => {
    const text = percentEncode(name, singleText(name, item))
    // An encoded blank is the delimiter itself.
    if (!text.includes(delimiter)) return text
    throw new ValueError(name, item, 'contains a blank, which separates the values')
  })
  return [`${percentEncode(name, name)}=${texts.join(delimiter)}`]
}

/** Nested names, such as `filter[color]`. */
function bracketed(form: ParameterForm, prefix: string, value: unknown): string[] {
  if (!isGiven(value)) return []
  if (!isMany(value)) return [pair(form.name, prefix, singleText(form.name, value))]
  if (!isList(value)) {
    return Object.entries(value).flatMap(([key, member]) =>
      bracketed(form, `${prefix}[${memberName(form.name, key)}]`, member),
    )
  }
  return value.flatMap((item, index) =>
    bracketed(form, `${prefix}[${indexOf(form, item, index)}]`, item),
  )
}

/** In `brackets`, objects in a list have an index too: without it, nobody could tell which members belong together. */
function indexOf({ style }: ParameterForm, item: unknown, index: number): string {
  return style === 'indexed' || isMany(item) ? String(index) : ''
}

/** A name with brackets would read as another place in the structure. */
function memberName(field: string, key: string): string {
  if (key !== '' && !/[[\]]/.test(key)) return key
  throw new ValueError(field, key, 'has a member whose name is empty or contains a bracket')
}

/** Each member of an object is a parameter of its own. */
function writeMembers(form: ParameterForm, value: Many): string[] {
  if (isList(value)) return repeated(form.name, value)
  return Object.entries(value).flatMap(([key, member]) => {
    if (form.taken.has(key)) {
      throw new ValueError(form.name, key, `has the member ${key}, which is another parameter`)
    }
    if (isGiven(member) && isList(member)) return repeated(key, member)
    return isGiven(member) ? [pair(form.name, key, singleText(form.name, member))] : []
  })
}

function pair(field: string, name: string, value: string): string {
  return `${percentEncode(field, name)}=${percentEncode(field, value)}`
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

function isMany(value: unknown): value is Many {
  return typeof value === 'object' && value !== null && !isRawNumber(value)
}
