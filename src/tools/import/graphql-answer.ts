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
import { NotExpressible } from './offer.ts'
import {
  connectionOf,
  leafSchema,
  newSelection,
  outputSchema,
  type Paged,
  type Selection,
  select,
} from './selection.ts'

/** What is asked of a root field, and what becomes of its answer. */
export interface FieldAnswer {
  /** With its braces; empty for a leaf. */
  readonly selection: string
  readonly output: JsonSchema
  readonly result: string
  /** True for a thing that is not there. */
  readonly missing: string | null
  /** The answer has `items`. */
  readonly isList: boolean
}

/** `from` is the expression of the field in the answer. */
export function answerOf(
  type: GraphQLOutputType,
  from: string,
  isMutation: boolean,
  notes: Set<string>,
): FieldAnswer {
  const paged = connectionOf(type)
  if (paged) return pagedAnswer(paged, from, selectSurely(paged.node, isMutation, notes))
  const isLeaf = isLeafType(getNamedType(type))
  if (isMutation && isBareObject(type)) return DONE
  const { text, schema } = isLeaf
    ? { text: '', schema: leafSchema(type) }
    : selectSurely(type, isMutation, notes)
  const selection = isLeaf ? '' : `{ ${text} }`
  if (isListType(getNullableType(type))) {
    const items = outputSchema(getNullableType(type), schema)
    const list = items.type === undefined ? items : { ...items, type: 'array' }
    return {
      selection,
      output: closed({ items: list }),
      result: `{items: ${from} || \`[]\`}`,
      missing: null,
      isList: true,
    }
  }
  if (isLeaf) {
    const output = closed({ value: outputSchema(type, schema) })
    return { selection, output, result: `{value: ${from}}`, missing: null, isList: false }
  }
  return {
    selection,
    ...objectAnswer(schema, from, isNonNullType(type), isMutation),
    isList: false,
  }
}

/** Of a mutation that tells nothing but that it was made. */
const DONE: FieldAnswer = {
  selection: '{ __typename }',
  output: closed({ done: { type: 'boolean' } }),
  result: '{done: `true`}',
  missing: null,
  isList: false,
}

function isBareObject(type: GraphQLOutputType): boolean {
  return isObjectType(getNullableType(type)) && select(type, 2, newSelection(new Set())) === null
}

function selectSurely(type: GraphQLOutputType, isMutation: boolean, notes: Set<string>): Selection {
  // What a mutation answers with is wrapped once more.
  const selection = select(type, isMutation ? 2 : 1, newSelection(notes))
  if (selection) return selection
  const { name } = getNamedType(type)
  throw new NotExpressible(
    `answers with ${name}, of which no field can be selected without more being known`,
  )
}

/** No answer to a question means that there is no such thing; a change may well be answered with nothing. */
function objectAnswer(schema: JsonSchema, from: string, isSure: boolean, isMutation: boolean) {
  if (isSure) return { output: schema, result: from, missing: null }
  if (!isMutation) return { output: schema, result: from, missing: `!(${from})` }
  const { required: _, ...open } = schema
  return { output: open, result: `${from} || \`{}\``, missing: null }
}

function pagedAnswer(
  { node, items }: Paged,
  from: string,
  { text, schema }: Selection,
): FieldAnswer {
  const asked = items === 'nodes' ? `nodes { ${text} }` : `edges { node { ${text} } }`
  const read = items === 'nodes' ? 'nodes' : 'edges[*].node'
  const pageInfo: JsonSchema = {
    type: 'object',
    required: ['hasNextPage', 'endCursor'],
    properties: { hasNextPage: { type: 'boolean' }, endCursor: { type: ['string', 'null'] } },
  }
  return {
    selection: `{ ${asked} pageInfo { hasNextPage endCursor } }`,
    output: closed({ items: { type: 'array', items: outputSchema(node, schema) }, pageInfo }),
    result: `${from}.{items: ${read} || \`[]\`, pageInfo: pageInfo}`,
    missing: `!(${from})`,
    isList: true,
  }
}

function closed(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties }
}
