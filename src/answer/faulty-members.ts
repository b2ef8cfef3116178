import { isObject } from '../lib/is-object.ts'
import { mentions } from '../lib/mentions.ts'
import type { Card, FieldProblem, JsonSchema } from '../model/card.ts'
import type { Failure } from '../model/failure.ts'

type Input = Readonly<Record<string, unknown>>

/** Shorter values occur in messages by chance. */
const SHORTEST_VALUE = 2

/**
 * The members of the input that a failure is about, by the capability's own names: those that a rule
 * of its pack or a lookup names, else those that the upstream names, else those whose value its message quotes, else those that it mentions, else those of the lookup that failed, else the required ones.
 * Never empty for a card that takes input.
 */
export function faultyMembers(card: Card, input: Input, failure: Failure): readonly string[] {
  const given = Object.keys(propertiesOf(card)).filter(name => input[name] !== undefined)
  const ruled = (failure.members ?? []).filter(name => given.includes(name))
  const suspects = (failure.suspects ?? []).filter(name => given.includes(name))
  const told = [
    ruled,
    namedMembers(card, failure),
    wordedMembers(card, input, failure, given),
    suspects,
  ]
  return told.find(members => members.length > 0) ?? otherMembers(card, input, failure, given)
}

function wordedMembers(
  { upstream: { place } }: Card,
  input: Input,
  { message }: Failure,
  given: readonly string[],
): readonly string[] {
  // An address has the names of its place, whatever is wrong.
  const bare = message.replaceAll(NO_NAMES, '')
  const isFault = (name: string) => (text: string) =>
    place.includes(name)
      ? quotations(bare, text).some(at => !isWhere(bare, at))
      : quotations(message.replace(STATUS, ''), text).length > 0
  const quoted = given.filter(name => valuesOf(input[name]).some(isFault(name)))
  if (quoted.length > 0) return quoted
  return given.filter(name => !place.includes(name) && !isKey(name) && mentions(bare, name))
}

/** The status of an answer is no name, not even of a repository that is called like one. */
const STATUS = /\banswered \d{3}\b|\(HTTP \d{3}\)/
const NO_NAMES = new RegExp(`https?://\\S{1,2000}|${STATUS.source}`, 'g')

/** A service that says where the call works has found that place: something else is wrong. */
function otherMembers(
  card: Card,
  input: Input,
  { code, message }: Failure,
  given: readonly string[],
): readonly string[] {
  const { place } = card.upstream
  const required = requiredOf(card)
  const isPlaceKnown =
    code !== 'NOT_FOUND' &&
    place.some(name => valuesOf(input[name]).some(text => quotations(message, text).length > 0))
  const own = given.filter(name => !place.includes(name))
  const optional = own.filter(name => !required.includes(name))
  if (isPlaceKnown && own.length > 0) return optional.length > 0 ? optional : own
  const naming = code === 'NOT_FOUND' ? given.filter(name => isNaming(card, name)) : []
  if (naming.length > 0) return naming
  return required.length > 0 ? required : Object.keys(propertiesOf(card))
}

/** A text with lines names nothing, and neither do a choice, a time, or the members of pages. */
function isNaming({ page, ...card }: Card, name: string): boolean {
  const { type, pattern, format, enum: choice } = (propertiesOf(card)[name] ?? {}) as JsonSchema
  if (name === page?.cursor || name === page?.size || choice !== undefined) return false
  if (type === 'integer') return isKey(name)
  return (
    typeof pattern === 'string' && format === undefined && !new RegExp(pattern, 'u').test(PROSE)
  )
}

const PROSE = 'Some\n\nlines.'

/** Services quote numbers and ids, and speak of "the issue" also when nothing is wrong with it. */
function isKey(name: string): boolean {
  return /(?:Number|Id)$/.test(name)
}

/** A preposition before a name says where the call works: "is no collaborator of the octo-org/hello-world repository". */
const WHERE = /\b(?:of|in|for|to|on|from|within)(?: the)? ["'`]?(?:[\w.-]{1,100}[/:])?$/

function isWhere(message: string, at: number): boolean {
  return WHERE.test(message.slice(Math.max(0, at - LONGEST_WHERE), at))
}

const LONGEST_WHERE = 130

/**
 * The members that a refused input has to change. A fault of the whole object has no name: it lacks one of its
 * optional members, or is no object at all.
 */
export function refusedMembers(
  card: Card | null,
  input: unknown,
  fields: readonly FieldProblem[],
): readonly string[] {
  const named = [...new Set(fields.map(({ path }) => path))].filter(path => path !== '')
  if (named.length > 0 || fields.length === 0 || !card) return named
  const members = Object.keys(propertiesOf(card))
  const required = requiredOf(card)
  if (!isObject(input)) return required.length > 0 ? required : members
  const optional = members.filter(name => !required.includes(name))
  return optional.length > 0 ? optional : members
}

/**
 * The problems with the capability's own names in place of the upstream's, where there is one.
 * @param own paths that are members of the input already. @default none
 */
export function translateFields(
  card: Card,
  fields: readonly FieldProblem[],
  own: readonly string[] = [],
): FieldProblem[] {
  return fields.map(({ path, message }) => ({
    path: own.includes(path) ? path : (memberFor(card, path) ?? path),
    message,
  }))
}

function namedMembers(card: Card, { details }: Failure): readonly string[] {
  const fields = (details.fields as readonly FieldProblem[] | undefined) ?? []
  return [...new Set(fields.flatMap(({ path }) => memberFor(card, path) ?? []))]
}

/** The input member that an upstream's path means, e.g. `body` for `issue.body` or `input.bodyText`. */
function memberFor(card: Card, path: string): string | null {
  const properties = propertiesOf(card)
  const [first = ''] = path.split('.')
  if (card.upstream.place.includes(first)) {
    const other = card.upstreamNames.get(first) ?? inOtherWords(properties, first)
    if (other !== null) return other
  }
  if (Object.hasOwn(properties, first)) return path
  for (const part of path.split(/[.[\]]+/).toReversed()) {
    const member = card.upstreamNames.get(part) ?? sameWord(properties, part)
    if (member !== undefined) return member
  }
  return null
}

/** A service that calls something `name` seldom means the place of the call, but `newName` or `tagName`. */
function inOtherWords(properties: Input, name: string): string | null {
  const ending = `${name[0]?.toUpperCase()}${name.slice(1)}`
  return Object.keys(properties).find(member => member.endsWith(ending)) ?? null
}

/** `issue_number`, `issueNumber` and `issue-number` are one name. */
function sameWord(properties: Input, name: string): string | undefined {
  const word = plain(name)
  return word === '' ? undefined : Object.keys(properties).find(member => plain(member) === word)
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

function propertiesOf({ input }: Pick<Card, 'input'>): Input {
  return isObject(input.properties) ? input.properties : {}
}

function requiredOf({ input }: Card): readonly string[] {
  return (input.required as readonly string[] | undefined) ?? []
}

/** The texts that a message may quote: the first of a list, also of lists in it. */
function valuesOf(value: unknown, found: string[] = []): readonly string[] {
  if (typeof value === 'number') found.push(String(value))
  if (typeof value === 'string') {
    // A message has one line.
    const [line = ''] = value.split('\n', 1)
    if (line.length >= SHORTEST_VALUE) found.push(line)
  }
  if (!Array.isArray(value)) return found
  for (const item of value.slice(0, MOST_VALUES)) {
    if (found.length >= MOST_VALUES) break
    valuesOf(item, found)
  }
  return found
}

/** Each is searched in the message. */
const MOST_VALUES = 50

/** The places where the message quotes the text as a word of its own. */
function quotations(message: string, text: string): number[] {
  const places: number[] = []
  for (let at = message.indexOf(text); at !== -1; at = message.indexOf(text, at + 1)) {
    if (!isWordPart(message[at - 1]) && !isWordPart(message[at + text.length])) places.push(at)
  }
  return places
}

function isWordPart(character: string | undefined): boolean {
  return character !== undefined && /[\w-]/.test(character)
}
