import type { SharedHealth } from '../../model/health.ts'

/** A place where several processes keep what they share: a Redis, or the primary process of one gateway's workers. */
export interface SharedStore {
  /** Adds work to do after each connect, in order. The store counts as usable only after all of it. */
  onConnect(work: () => Promise<void>): void
  /** Subscribes to a channel, on each connection. */
  subscribe(channel: string, onMessage: (message: string) => void): void
  health(): SharedHealth
  /** How long this connection has existed, in milliseconds. */
  connectedFor(): number
  key(name: string): string
  channel(name: string): string
  /** Runs a script that writes, atomically. */
  run(script: string, keys: string[], values: readonly string[]): Promise<unknown>
  get(key: string): Promise<string | null>
  hash(key: string): Promise<Readonly<Record<string, string>>>
  /** The members of a sorted set, from the lowest score to the highest. */
  sorted(key: string, from?: number): Promise<readonly string[]>
}
