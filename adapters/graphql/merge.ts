import { createHash } from 'node:crypto'
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type NameNode,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  print,
  type SelectionNode,
  stripIgnoredCharacters,
  type VariableDefinitionNode,
  visit,
} from '../../src/lib/graphql.ts'

/** The operation's name, by which the upstream's operators can find it. */
const OPERATION = 'SignalboxBatch'

/** One query's contribution to a merged query, renamed so that names do not clash. */
interface Part {
  readonly variables: readonly VariableDefinitionNode[]
  readonly selections: readonly SelectionNode[]
  readonly fragments: readonly FragmentDefinitionNode[]
}

/** A query that can be merged with others into one request. */
export interface Mergeable {
  /** Its part of a merged query, for this position. */
  part(place: number): Part
}

/** The prefix of a query's fields and variables in a merged query. */
export function prefixOf(place: number): string {
  return `c${place}_`
}

/** The position in a prefixed name; null if the name has no prefix. */
export function placeOf(name: unknown): number | null {
  const [, place] = /^c(\d+)_/.exec(String(name)) ?? []
  return place === undefined ? null : Number(place)
}

/** A query with more is sent alone: the names of its fragments would cost the square of their number. */
const MOST_FRAGMENTS = 50

/**
 * Prepares a query for merging. Returns null if it must be sent alone: a directive on the operation
 * applies to a whole request, a fragment spread at the root would have to be inlined, and callers may send any number of fragments.
 */
export function compileMergeable(text: string): Mergeable | null {
  const document = parse(text, { noLocation: true })
  const fragments = fragmentsOf(document)
  if (fragments.size > MOST_FRAGMENTS) return null
  const operation = document.definitions.find(it => it.kind === Kind.OPERATION_DEFINITION)
  if (!operation || operation.operation !== OperationTypeNode.QUERY) return null
  const hasDirectives = (operation.directives ?? []).length > 0
  if (hasDirectives || hasSpread(operation.selectionSet.selections)) return null
  const shared = sharedNames(fragments)
  const parts: Part[] = []
  return { part: place => (parts[place] ??= createPart(operation, fragments, shared, place)) }
}

/** Merges queries into one, in this order. Identical fragments appear once. */
export function mergeQueries(queries: readonly Mergeable[]): string {
  const parts = queries.map((query, place) => query.part(place))
  const fragments = new Map(
    parts.flatMap(part => part.fragments).map(fragment => [fragment.name.value, fragment]),
  )
  const operation: OperationDefinitionNode = {
    kind: Kind.OPERATION_DEFINITION,
    operation: OperationTypeNode.QUERY,
    name: named(OPERATION),
    variableDefinitions: parts.flatMap(part => part.variables),
    selectionSet: {
      kind: Kind.SELECTION_SET,
      selections: parts.flatMap(part => part.selections),
    },
  }
  return stripIgnoredCharacters(
    print({ kind: Kind.DOCUMENT, definitions: [operation, ...fragments.values()] }),
  )
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

function createPart(
  operation: OperationDefinitionNode,
  fragments: Fragments,
  shared: ReadonlyMap<string, string>,
  place: number,
): Part {
  const prefix = prefixOf(place)
  const nameOf = ({ value }: NameNode) => named(shared.get(value) ?? prefix + value)
  const rename = <T extends OperationDefinitionNode | FragmentDefinitionNode>(node: T): T =>
    visit(node, {
      Variable: variable => ({ ...variable, name: named(prefix + variable.name.value) }),
      FragmentSpread: spread => ({ ...spread, name: nameOf(spread.name) }),
      FragmentDefinition: fragment => ({ ...fragment, name: nameOf(fragment.name) }),
    })
  const { variableDefinitions = [], selectionSet } = rename(operation)
  return {
    variables: variableDefinitions,
    selections: aliased(selectionSet.selections, prefix),
    fragments: [...fragments.values()].map(rename),
  }
}

/** Gives the root fields unique names, including those in inline fragments. */
function aliased(selections: readonly SelectionNode[], prefix: string): SelectionNode[] {
  return selections.map(selection => {
    switch (selection.kind) {
      case Kind.FIELD: {
        const { alias, name } = selection
        return { ...selection, alias: named(prefix + (alias ?? name).value) }
      }
      case Kind.INLINE_FRAGMENT: {
        const { selectionSet } = selection
        const inner = aliased(selectionSet.selections, prefix)
        return { ...selection, selectionSet: { ...selectionSet, selections: inner } }
      }
      case Kind.FRAGMENT_SPREAD:
        return selection
    }
  })
}

function hasSpread(selections: readonly SelectionNode[]): boolean {
  return selections.some(
    selection =>
      selection.kind === Kind.FRAGMENT_SPREAD ||
      (selection.kind === Kind.INLINE_FRAGMENT && hasSpread(selection.selectionSet.selections)),
  )
}

function fragmentsOf({ definitions }: DocumentNode): Fragments {
  return new Map(
    definitions
      .filter(definition => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map(fragment => [fragment.name.value, fragment]),
  )
}

/**
 * Names fragments without variables by a hash of their content, so that an identical fragment gets the
 * same name in every query.
 */
function sharedNames(fragments: Fragments): ReadonlyMap<string, string> {
  const parts = new Map([...fragments].map(([name, fragment]) => [name, partsOf(fragment)]))
  const names = new Map<string, string>()
  for (const name of fragments.keys()) {
    const reached = reachedFrom(name, parts).map(it => parts.get(it) as FragmentParts)
    if (reached.some(({ hasVariable }) => hasVariable)) continue
    const digest = createHash('sha256')
      .update([name, ...reached.map(({ text }) => text)].join('\n'))
      .digest('hex')
    names.set(name, `f_${digest.slice(0, 16)}`)
  }
  return names
}

/** The parts of a fragment that its shared name depends on. */
interface FragmentParts {
  readonly text: string
  /** The names of the fragments that it spreads. */
  readonly spreads: readonly string[]
  readonly hasVariable: boolean
}

function partsOf(fragment: FragmentDefinitionNode): FragmentParts {
  const spreads: string[] = []
  let hasVariable = false
  visit(fragment, {
    FragmentSpread(spread) {
      spreads.push(spread.name.value)
    },
    Variable() {
      hasVariable = true
    },
  })
  return { text: print(fragment), spreads, hasVariable }
}

/** The names of a fragment and of all fragments that it spreads, directly or indirectly, in order. */
function reachedFrom(name: string, parts: ReadonlyMap<string, FragmentParts>): readonly string[] {
  const reached = new Set([name])
  for (const at of reached) {
    for (const spread of parts.get(at)?.spreads ?? []) {
      if (parts.has(spread)) reached.add(spread)
    }
  }
  return [...reached].sort()
}

function named(value: string): NameNode {
  return { kind: Kind.NAME, value }
}
