import {
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import type { JsonSchema } from '../../model/card.ts'
import { NotExpressible } from './errors.ts'
import {
  leafSchema,
  newSelection,
  outputSchema,
  type PagedList,
  pagedList,
  type Selection,
  select,
} from './selection.ts'

/** The selection from a root field, and the output that its answer becomes. */
export interface FieldAnswer {
  /** With its braces; empty for a leaf. */
  readonly selection: string
  readonly output: JsonSchema
  readonly result: string
  /** An expression that is true if the thing does not exist; null if there is none. */
  readonly missing: string | null
  /** True if the output has `items`. */
  readonly isList: boolean
}

/** @param from the expression that reads the field from the answer. */
export function answerOf(
  type: GraphQLOutputType,
  from: string,
  isMutation: boolean,
  notes: Set<string>,
): FieldAnswer {
  const paged = pagedList(type)
  if (paged) return pagedAnswer(paged, from, selectOrThrow(paged.node, isMutation, notes))
  if (isMutation && hasNothingToSelect(type)) return DONE
  const isLeaf = isLeafType(getNamedType(type))
  const { text, schema } = isLeaf
    ? { text: '', schema: leafSchema(type) }
    : selectOrThrow(type, isMutation, notes)
  const selection = isLeaf ? '' : `{ ${text} }`
  if (isListType(getNullableType(type))) return listAnswer(type, selection, schema, from)
  if (isLeaf) {
    const output = objectOf({ value: outputSchema(type, schema) })
    return { selection, output, result: `{value: ${from}}`, missing: null, isList: false }
  }
  return {
    selection,
    ...objectAnswer(schema, from, isNonNullType(type), isMutation),
    isList: false,
  }
}

/** The answer of a mutation whose type has no fields to select. */
const DONE: FieldAnswer = {
  selection: '{ __typename }',
  output: objectOf({ done: { type: 'boolean' } }),
  result: '{done: `true`}',
  missing: null,
  isList: false,
}

function hasNothingToSelect(type: GraphQLOutputType): boolean {
  return isObjectType(getNullableType(type)) && select(type, 2, newSelection(new Set())) === null
}

function selectOrThrow(
  type: GraphQLOutputType,
  isMutation: boolean,
  notes: Set<string>,
): Selection {
  // A mutation wraps its answer in a payload type, which adds a level.
  const selection = select(type, isMutation ? 2 : 1, newSelection(notes))
  if (selection) return selection
  const { name } = getNamedType(type)
  throw new NotExpressible(
    `answers with ${name}, which has no fields that import can select by itself`,
  )
}

function listAnswer(
  type: GraphQLOutputType,
  selection: string,
  schema: JsonSchema,
  from: string,
): FieldAnswer {
  const items = outputSchema(getNullableType(type), schema)
  const list = items.type === undefined ? items : { ...items, type: 'array' }
  return {
    selection,
    output: objectOf({ items: list }),
    result: `{items: ${from} || \`[]\`}`,
    missing: null,
    isList: true,
  }
}

/** Null means that a query found nothing. A mutation may well answer null. */
function objectAnswer(schema: JsonSchema, from: string, isNonNull: boolean, isMutation: boolean) {
  if (isNonNull) return { output: schema, result: from, missing: null }
  if (!isMutation) return { output: schema, result: from, missing: `!(${from})` }
  const { required: _, ...open } = schema
  return { output: open, result: `${from} || \`{}\``, missing: null }
}

function pagedAnswer(
  { node, items }: PagedList,
  from: string,
  { text, schema }: Selection,
): FieldAnswer {
  const selected = items === 'nodes' ? `nodes { ${text} }` : `edges { node { ${text} } }`
  const list = items === 'nodes' ? 'nodes' : 'edges[*].node'
  const pageInfo: JsonSchema = {
    type: 'object',
    required: ['hasNextPage', 'endCursor'],
    properties: { hasNextPage: { type: 'boolean' }, endCursor: { type: ['string', 'null'] } },
  }
  return {
    selection: `{ ${selected} pageInfo { hasNextPage endCursor } }`,
    output: objectOf({ items: { type: 'array', items: outputSchema(node, schema) }, pageInfo }),
    result: `${from}.{items: ${list} || \`[]\`, pageInfo: pageInfo}`,
    missing: `!(${from})`,
    isList: true,
  }
}

/** The schema of an object that has all of these members. */
function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties }
}
