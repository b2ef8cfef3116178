import {
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLNamedOutputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
} from 'graphql'
import type { JsonSchema } from '../../model/card.ts'
import { enumSchema, scalarSchema } from './graphql-input.ts'
import { nullable } from './nullable.ts'

type Field = GraphQLField<unknown, unknown>

/** The selection of fields from a type, and the schema of the answer. */
export interface Selection {
  /** Without the outer braces. */
  readonly text: string
  /** The schema of the type itself, without null. */
  readonly schema: JsonSchema
}

/** A longer selection helps no caller. Leaves come first. */
const MAX_FIELDS = 60

export interface SelectionContext {
  readonly notes: Set<string>
  readonly budget: { left: number }
}

export function newSelection(notes: Set<string>): SelectionContext {
  return { notes, budget: { left: MAX_FIELDS } }
}

interface Selected {
  readonly name: string
  readonly text: string
  readonly schema: JsonSchema
}

/**
 * Selects the leaves of a type, and those of the objects in it down to `depth`. Leaves connections, and
 * fields that need arguments, to the author. Returns null if it can select nothing.
 */
export function select(
  type: GraphQLOutputType,
  depth: number,
  context: SelectionContext,
  chain: readonly string[] = [],
): Selection | null {
  const named = getNamedType(type)
  if (!hasFields(named)) return null
  const fields = Object.values(named.getFields()).filter(isSelectable)
  const selected = [
    ...(isInterfaceType(named) ? [TYPENAME] : []),
    ...selectLeaves(fields, context),
    ...(depth > 0 ? selectObjects(fields, depth - 1, context, [...chain, named.name]) : []),
  ]
  if (selected.length === 0) return null
  const properties = Object.fromEntries(selected.map(({ name, schema }) => [name, schema]))
  return {
    text: selected.map(({ text }) => text).join(' '),
    schema: { type: 'object', required: Object.keys(properties), properties },
  }
}

const TYPENAME: Selected = { name: '__typename', text: '__typename', schema: { type: 'string' } }

function hasFields(type: GraphQLNamedOutputType): type is GraphQLObjectType | GraphQLInterfaceType {
  return isObjectType(type) || isInterfaceType(type)
}

/** Skips Relay's own id, which only repeats what the caller sent. */
function isSelectable({ name, deprecationReason, args }: Field): boolean {
  const needsArguments = args.some(isRequiredArgument)
  return name !== 'clientMutationId' && deprecationReason == null && !needsArguments
}

function selectLeaves(fields: readonly Field[], context: SelectionContext): Selected[] {
  const selected: Selected[] = []
  for (const { name, type } of fields.filter(({ type: own }) => isLeafType(getNamedType(own)))) {
    if (!spend(context)) break
    selected.push({ name, text: name, schema: outputSchema(type, leafSchema(type)) })
  }
  return selected
}

function selectObjects(
  fields: readonly Field[],
  depth: number,
  context: SelectionContext,
  chain: readonly string[],
): Selected[] {
  return fields.flatMap(({ name, type }) => {
    const target = getNamedType(type)
    if (isLeafType(target) || chain.includes(target.name) || pagedList(type)) return []
    const inner = spend(context) ? select(type, depth, context, chain) : null
    if (!inner) return []
    return [{ name, text: `${name} { ${inner.text} }`, schema: outputSchema(type, inner.schema) }]
  })
}

function spend({ budget, notes }: SelectionContext): boolean {
  if (budget.left > 0) return budget.left-- > 0
  notes.add('The type has more fields than this document selects; add those that you need.')
  return false
}

/** The schema of a leaf, without its lists and nulls. */
export function leafSchema(type: GraphQLOutputType): JsonSchema {
  const named = getNamedType(type)
  if (isEnumType(named)) return enumSchema(named.getValues().map(({ name }) => name))
  return isScalarType(named) ? scalarSchema(named) : {}
}

/** Wraps the schema of a named type in the lists and nulls of `type`. */
export function outputSchema(type: GraphQLOutputType, named: JsonSchema): JsonSchema {
  if (isNonNullType(type)) return notNull(type.ofType, named)
  const own = notNull(type, named)
  // A schema without a type already allows null.
  return own.type === undefined ? own : nullable(own)
}

function notNull(type: GraphQLOutputType, named: JsonSchema): JsonSchema {
  return isListType(type) ? { type: 'array', items: outputSchema(type.ofType, named) } : named
}

/** A list in pages: a connection, as Relay defines it. */
export interface PagedList {
  /** The type of one item. */
  readonly node: GraphQLOutputType
  /** The field that holds the items. */
  readonly items: 'nodes' | 'edges'
}

/** Returns the list of a connection type; null for any other type. */
export function pagedList(type: GraphQLOutputType): PagedList | null {
  const named = getNamedType(type)
  if (!isObjectType(named) || isListType(getNullableType(type))) return null
  const { nodes, edges, pageInfo } = named.getFields()
  if (!hasCursors(pageInfo)) return null
  if (nodes) return { node: itemType(nodes.type), items: 'nodes' }
  const edge = edges && getNamedType(edges.type)
  const node = isObjectType(edge) ? edge.getFields().node : undefined
  return node ? { node: node.type, items: 'edges' } : null
}

function hasCursors(pageInfo: Field | undefined): boolean {
  const page = pageInfo && getNamedType(pageInfo.type)
  if (!isObjectType(page)) return false
  return ['hasNextPage', 'endCursor'].every(name => page.getFields()[name])
}

function itemType(type: GraphQLOutputType): GraphQLOutputType {
  if (isNonNullType(type)) return itemType(type.ofType)
  return isListType(type) ? type.ofType : type
}
