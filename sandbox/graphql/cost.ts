import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from 'graphql'

const MAX_NODES = 500_000

export interface QueryCost {
  /** Points charged to the quota. */
  cost: number
  /** The largest number of nodes that the query can return. */
  nodeCount: number
}

type Variables = Readonly<Record<string, unknown>>

/**
 * GitHub's formula: a connection inside a connection counts as one request per outer node. The cost
 * is the number of requests divided by 100, and at least 1.
 * https://docs.github.com/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
 */
export function queryCost(document: DocumentNode, variables: Variables): QueryCost {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION)
      fragments.set(definition.name.value, definition)
  }

  const total = { requests: 0, nodeCount: 0 }
  const walk = (set: SelectionSetNode | undefined, parents: number): void => {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        walk(fragments.get(selection.name.value)?.selectionSet, parents)
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        walk(selection.selectionSet, parents)
      } else {
        const size = pageSize(selection, variables)
        if (size !== undefined) {
          total.requests += parents
          total.nodeCount += parents * size
        }
        walk(selection.selectionSet, parents * (size ?? 1))
      }
    }
  }
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) walk(definition.selectionSet, 1)
  }
  return { cost: Math.max(1, Math.round(total.requests / 100)), nodeCount: total.nodeCount }
}

export function tooManyNodes({ nodeCount }: QueryCost): string | undefined {
  if (nodeCount <= MAX_NODES) return undefined
  const [asked, limit] = [nodeCount, MAX_NODES].map(count => count.toLocaleString('en-US'))
  return `This query requests up to ${asked} possible nodes which exceeds the maximum limit of ${limit}.`
}

function pageSize(field: FieldNode, variables: Variables): number | undefined {
  for (const { name, value } of field.arguments ?? []) {
    if (name.value !== 'first' && name.value !== 'last') continue
    if (value.kind === Kind.INT) return Number(value.value)
    if (value.kind === Kind.VARIABLE) return Number(variables[value.name.value] ?? 0)
  }
  return undefined
}
