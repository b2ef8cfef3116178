import { isObject } from '../lib/is-object.ts'
import type { Card, FieldProblem } from '../model/card.ts'
import type { Failure } from '../model/failure.ts'

type Input = Readonly<Record<string, unknown>>

/** Shorter values occur in messages by chance. */
const SHORTEST_VALUE = 2

/**
 * The members of the input that a failure is about, by the capability's own names: those that the upstream names,
 * else those whose value its message quotes, else the required ones. Never empty for a card that takes input.
 */
export function faultyMembers(card: Card, input: Input, failure: Failure): readonly string[] {
  const named = namedMembers(card, failure)
  if (named.length > 0) return named
  const members = Object.keys(propertiesOf(card))
  const quoted = members.filter(name => isQuoted(failure.message, input[name]))
  if (quoted.length > 0) return quoted
  const required = requiredOf(card)
  return required.length > 0 ? required : members
}

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

/** The problems with the capability's own names in place of the upstream's, where there is one. */
export function translateFields(card: Card, fields: readonly FieldProblem[]): FieldProblem[] {
  return fields.map(({ path, message }) => ({ path: memberFor(card, path) ?? path, message }))
}

function namedMembers(card: Card, { details }: Failure): readonly string[] {
  const fields = (details.fields as readonly FieldProblem[] | undefined) ?? []
  return [...new Set(fields.flatMap(({ path }) => memberFor(card, path) ?? []))]
}

/** The input member that an upstream's path means, e.g. `body` for `issue.body` or `input.bodyText`. */
function memberFor(card: Card, path: string): string | null {
  const properties = propertiesOf(card)
  if (Object.hasOwn(properties, path.split('.')[0] ?? '')) return path
  for (const part of path.split(/[.[\]]+/).toReversed()) {
    const member = card.upstreamNames.get(part) ?? sameWord(properties, part)
    if (member !== undefined) return member
  }
  return null
}

/** `issue_number`, `issueNumber` and `issue-number` are one name. */
function sameWord(properties: Input, name: string): string | undefined {
  const word = plain(name)
  return word === '' ? undefined : Object.keys(properties).find(member => plain(member) === word)
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

function propertiesOf({ input }: Card): Input {
  return isObject(input.properties) ? input.properties : {}
}

function requiredOf({ input }: Card): readonly string[] {
  return (input.required as readonly string[] | undefined) ?? []
}

/** Whether the message quotes the value as a word of its own. */
function isQuoted(message: string, value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false
  const text = String(value)
  if (text.length < SHORTEST_VALUE && typeof value === 'string') return false
  for (let at = message.indexOf(text); at !== -1; at = message.indexOf(text, at + 1)) {
    if (!isWordPart(message[at - 1]) && !isWordPart(message[at + text.length])) return true
  }
  return false
}

function isWordPart(character: string | undefined): boolean {
  return character !== undefined && /[\w-]/.test(character)
}
