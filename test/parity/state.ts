import type { Node, Store } from '../../sandbox/index.ts'

/** Tokens hold used quotas, which differ between routes, so they do not count as state. */
const NOT_STATE: ReadonlySet<string> = new Set(['tokens'])

/**
 * The content of a store in a comparable form: every node by kind and id, with references instead of
 * nested nodes. A table that holds objects that no node refers to lists them with `all()`.
 */
export function describeState(store: Store): Record<string, unknown> {
  createGitData(store)
  const nodes = store.nodes().map(node => [nameOf(node), describeMembers(node)] as const)
  const tables = Object.entries(store)
    .filter(([name, table]) => !NOT_STATE.has(name) && hasAll(table))
    .map(([name, table]) => [name, describe((table as Table).all(), [])] as const)
  return Object.fromEntries([...nodes, ...tables])
}

/** A repository's git data is created on first access, which does not count as a change. */
export function createGitData(store: Store): void {
  for (const repository of store.repositories.all()) store.git.of(repository)
}

interface Table {
  all(): unknown
}

function hasAll(table: unknown): table is Table {
  return typeof (table as Partial<Table> | null)?.all === 'function'
}

function nameOf({ kind, nodeId }: Node): string {
  return `${kind} ${nodeId}`
}

function isNode(value: object): value is Node {
  return 'kind' in value && 'nodeId' in value
}

/** @param above the objects that the value is inside of: one list, which each call leaves as it was */
function describeMembers(value: object, above: object[] = []): Record<string, unknown> {
  const members: Record<string, unknown> = {}
  above.push(value)
  for (const [key, member] of Object.entries(value)) members[key] = describe(member, above)
  above.pop()
  return members
}

function describe(value: unknown, above: object[]): unknown {
  if (value === null || typeof value !== 'object') return value
  if (isNode(value)) return `→ ${nameOf(value)}`
  if (above.includes(value)) return '→ above'
  const inside = [...above, value]
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (value instanceof Map) {
    const members = [...value].map(([key, item]) => [describe(key, inside), describe(item, inside)])
    return members.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  }
  if (value instanceof Set || Array.isArray(value)) {
    return [...value].map(item => describe(item, inside))
  }
  return describeMembers(value, above)
}
