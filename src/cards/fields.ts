import { isRawNumber } from '../lib/exact-json.ts'
import type { Card } from '../model/card.ts'
import { GatewayError } from '../model/errors.ts'
import type { Selection } from '../model/subject.ts'
import { memberSchema, type SchemaAt } from './schema-path.ts'

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

function unknownField(path: string, { id, output }: Card): GatewayError {
  const members = Object.keys((output.properties as object | undefined) ?? {}).join(', ')
  const named = path.slice(0, 200)
  return new GatewayError(
    'VALIDATION',
    `fields: "${named}" is not a member of the data of ${id}. Members: ${members}.`,
    {
      source: 'caller',
      details: { fields: [{ path: 'fields', message: `"${named}" is not a known member` }] },
    },
  )
}
