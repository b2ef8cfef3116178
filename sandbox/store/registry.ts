import type { Node, Timestamp } from './entities.ts'
import { type Kind, nodeId } from './node-id.ts'

/** Shared by all tables of a store: the clock, the id sequence, the node index and the write count. */
export class Registry {
  readonly #clock: () => number
  readonly #nodes = new Map<string, Node>()
  #lastId = 1000
  #writes = 0

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** The number of writes so far. A request that raises it has changed the store. */
  get writes(): number {
    return this.#writes
  }

  recordWrite(): void {
    this.#writes += 1
  }

  now(): number {
    return this.#clock()
  }

  timestamp(): Timestamp {
    return toTimestamp(this.#clock())
  }

  nextId(): number {
    this.#lastId += 1
    return this.#lastId
  }

  /** Creates the two ids of a new object. */
  identify(kind: Kind, repository?: { databaseId: number }): Identity {
    const databaseId = this.nextId()
    return { databaseId, nodeId: nodeId(kind, databaseId, repository?.databaseId) }
  }

  /** Makes an object available by its global id, and counts the write. */
  register<T extends Node>(node: T): T {
    this.#nodes.set(node.nodeId, node)
    this.recordWrite()
    return node
  }

  unregister(node: Node): void {
    this.#nodes.delete(node.nodeId)
    this.recordWrite()
  }

  node(id: string): Node | undefined {
    return this.#nodes.get(id)
  }

  nodes(): Node[] {
    return [...this.#nodes.values()]
  }
}

export interface Identity {
  nodeId: string
  databaseId: number
}

export function toTimestamp(milliseconds: number): Timestamp {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
}
