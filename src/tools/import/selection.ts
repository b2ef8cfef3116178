import {
  type GraphQLField,
  type GraphQLOutputType,
  getNamedType,
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
import { nullable } from './json-schema.ts'

type Field = GraphQLField<unknown, unknown>

/** What is asked of a type, and what comes back. */
export interface Selection {
  /** Without the outer braces. */
  readonly text: string
  /** Of the type itself, without null. */
  readonly schema: JsonSchema
}

/** More fields than this are nobody's answer; leaves come first. */
const MOST_FIELDS = 60

export interface SelectionContext {
  readonly notes: Set<string>
  readonly budget: { left: number }
}

export function newSelection(notes: Set<string>): SelectionContext {
  return { notes, budget: { left: MOST_FIELDS } }
}

/**
 * Selects the leaves of a type, and below it those of the objects in it, down to `depth`. Connections
 * and fields that need arguments are left to the author. Null when nothing can be selected.
 */
export function select(
  type: GraphQLOutputType,
  depth: number,
  context: SelectionContext,
  chain: readonly string[] = [],
): Selection | null {
  const named = getNamedType(type)
  if (!isObjectType(named) && !isInterfaceType(named)) return null
  const fields = Object.values(named.getFields()).filter(isSelectable)
  const texts: string[] = []
  const properties: Record<string, JsonSchema> = {}
  const add = (name: string, text: string, schema: JsonSchema) => {
    texts.push(text)
    properties[name] = schema
  }
  if (isInterfaceType(named)) add('__typename', '__typename', { type: 'string' })
  for (const field of fields.filter(({ type: own }) => isLeafType(getNamedType(own)))) {
    if (!spend(context)) break
    add(field.name, field.name, outputSchema(field.type, leafSchema(field.type)))
  }
  const inner = [...chain, named.name]
  for (const field of depth > 0 ? fields : []) {
    const target = getNamedType(field.type)
    if (isLeafType(target) || inner.includes(target.name) || connectionOf(field.type)) continue
    const below = spend(context) ? select(field.type, depth - 1, context, inner) : null
    if (below)
      add(field.name, `${field.name} { ${below.text} }`, outputSchema(field.type, below.schema))
  }
  if (texts.length === 0) return null
  return {
    text: texts.join(' '),
    schema: { type: 'object', required: Object.keys(properties), properties },
  }
}

/** Relay's own id tells a caller nothing: it is what was sent. */
function isSelectable({ name, deprecationReason, args }: Field): boolean {
  const isAsked = args.some(isRequiredArgument)
  return name !== 'clientMutationId' && deprecationReason == null && !isAsked
}

function spend({ budget, notes }: SelectionContext): boolean {
  if (budget.left > 0) return budget.left-- > 0
  notes.add('It has more fields than are selected here; the document is yours to extend.')
  return false
}

/** The schema of a leaf, without its lists and nulls. */
export function leafSchema(type: GraphQLOutputType): JsonSchema {
  const named = getNamedType(type)
  if (isEnumType(named)) return enumSchema(named.getValues().map(({ name }) => name))
  return isScalarType(named) ? scalarSchema(named) : {}
}

/** Puts the lists and nulls of a type around the schema of what it holds. */
export function outputSchema(type: GraphQLOutputType, named: JsonSchema): JsonSchema {
  if (isNonNullType(type)) return notNull(type.ofType, named)
  const own = notNull(type, named)
  // Any JSON is null, too.
  return own.type === undefined ? own : nullable(own)
}

function notNull(type: GraphQLOutputType, named: JsonSchema): JsonSchema {
  return isListType(type) ? { type: 'array', items: outputSchema(type.ofType, named) } : named
}

/** A list in pages, as Relay defines them. */
export interface Paged {
  /** The type of one item. */
  readonly node: GraphQLOutputType
  /** Where the items are. */
  readonly items: 'nodes' | 'edges'
}

export function connectionOf(type: GraphQLOutputType): Paged | null {
  const named = getNamedType(type)
  if (!isObjectType(named) || isListType(isNonNullType(type) ? type.ofType : type)) return null
  const { nodes, edges, pageInfo } = named.getFields()
  const page = pageInfo && getNamedType(pageInfo.type)
  if (!isObjectType(page)) return null
  if (!['hasNextPage', 'endCursor'].every(name => page.getFields()[name])) return null
  if (nodes) return { node: itemType(nodes.type), items: 'nodes' }
  const edge = edges && getNamedType(edges.type)
  const node = isObjectType(edge) ? edge.getFields().node : undefined
  return node ? { node: node.type, items: 'edges' } : null
}

function itemType(type: GraphQLOutputType): GraphQLOutputType {
  if (isNonNullType(type)) return itemType(type.ofType)
  return isListType(type) ? type.ofType : type
}
