import { isRawNumber } from '../lib/exact-json.ts'
import type { Card, JsonSchema } from '../model/card.ts'
import { GatewayError } from '../model/errors.ts'
import type { Selection } from '../model/subject.ts'
import { likelyMembers } from './likely-members.ts'
import { propertiesIn } from './schema-parts.ts'
import { itemSchema, memberSchema, type SchemaAt, schemaAt } from './schema-path.ts'

/**
 * Parses `items.number,items.title`. A path goes through lists without an index.
 * @throws {GatewayError} VALIDATION when the card's output has no such member.
 */
export function parseSelection(text: string, card: Card): Selection {
  const selection = new Map<string, Selection>()
  for (const path of text.split(',').map(part => part.trim())) {
    if (!exists(path, card)) throw unknownField(path, card)
    select(selection, path.split('.'))
  }
  return selection
}

/** Returns the selected members in their order. */
export function applyFields(value: unknown, selection: Selection): unknown {
  if (selection === 'all' || value === null || typeof value !== 'object') return value
  if (isRawNumber(value)) return value
  if (Array.isArray(value)) return value.map(item => applyFields(item, selection))
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const below = selection.get(key)
      return below === undefined ? [] : [[key, applyFields(member, below)]]
    }),
  )
}

function select(selection: Map<string, Selection>, [name = '', ...rest]: readonly string[]): void {
  const present = selection.get(name)
  // `items` includes `items.title`.
  if (present === 'all') return
  if (rest.length === 0) {
    selection.set(name, 'all')
    return
  }
  const below = present ?? new Map<string, Selection>()
  selection.set(name, below)
  select(below, rest)
}

function exists(path: string, card: Card): boolean {
  let schema: SchemaAt = card.output
  for (const name of path.split('.')) {
    if (name === '') return false
    if (typeof schema === 'string') return schema === 'any'
    schema = memberSchema(schema, name)
  }
  return schema !== 'unknown'
}

function unknownField(path: string, card: Card): GatewayError {
  const named = `"${path.slice(0, LONGEST_PATH)}"`
  const { place, names } = whereItEnds(path, card.output)
  const likely = likelyPaths(path, card)
  const meant = likely.length === 0 ? '' : `. Did you mean ${likely.join(' or ')}?`
  const members = `Members${place === '' ? '' : ` of ${place}`}: ${names.join(', ')}.`
  return new GatewayError(
    'VALIDATION',
    `fields: ${named} is not a member of the data of ${card.id}${meant || '.'} ${members}`,
    {
      source: 'caller',
      details: { fields: [{ path: 'fields', message: `${named} is not a known member${meant}` }] },
    },
  )
}

const LONGEST_PATH = 200

/** The innermost object that the path reaches, and its members. */
function whereItEnds(path: string, output: JsonSchema) {
  const reached: string[] = []
  let schema: JsonSchema = output
  for (const name of path.split('.')) {
    const member = memberSchema(schema, name)
    if (typeof member === 'string' || namesIn(member).length === 0) break
    reached.push(name)
    schema = member
  }
  return { place: reached.join('.'), names: namesIn(schema) }
}

/** The paths that were likely meant: members of the same object, or of the items where the path leaves out the list. */
function likelyPaths(path: string, { output, list }: Card): readonly string[] {
  const { place, names } = whereItEnds(path, output)
  const [unknown = ''] = path.slice(place === '' ? 0 : place.length + 1).split('.')
  const here = likelyIn(place, unknown, names)
  if (place !== '' || !list) return here
  const items = schemaAt(output, list.path)
  const ofItems = typeof items === 'string' ? [] : namesIn(items)
  if (ofItems.includes(unknown)) return [`${list.path}.${unknown}`]
  return here.length > 0 ? here : likelyIn(list.path, unknown, ofItems)
}

function likelyIn(place: string, unknown: string, names: readonly string[]): readonly string[] {
  const known = { names, required: [], given: [], upstreamNames: new Map() }
  const prefix = place === '' ? '' : `${place}.`
  return likelyMembers(unknown, known).map(name => `${prefix}${name}`)
}

function namesIn(schema: JsonSchema): readonly string[] {
  return Object.keys(propertiesIn(itemSchema(schema)))
}
