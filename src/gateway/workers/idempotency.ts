import type { DatabaseSync } from 'node:sqlite'
import { ulid } from 'ulid'
import type { Channel } from '../../lib/channel.ts'
import { parseJson } from '../../lib/exact-json.ts'
import type { Answer } from '../../model/envelope.ts'
import type { Claim, Claimed, IdempotencyStore } from '../../state/idempotency.ts'
import { SqliteIdempotency } from '../../state/sqlite-idempotency.ts'

interface Settled {
  readonly claim: Claim
  /** JSON, because numbers may have more digits than a message can carry. */
  readonly json: string
}

/** The Idempotency-Keys in the journal's file, as the primary process serves them to the workers. */
export class KeyServer {
  readonly #db: DatabaseSync
  readonly #living = new Set<string>()

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  /** Serves a worker. @returns a function to call when the worker has ended: what it had in flight is interrupted then. */
  serve(channel: Channel): () => void {
    const owner = ulid()
    const store = new SqliteIdempotency(this.#db, owner, one => this.#living.has(one))
    this.#living.add(owner)
    channel.handle('keys.claim', async (claim: Claim) => JSON.stringify(await store.claim(claim)))
    channel.handle('keys.complete', ({ claim, json }: Settled) =>
      store.complete(claim, parseJson(json) as Answer),
    )
    channel.handle('keys.release', (claim: Claim) => store.release(claim))
    channel.handle('keys.undo', ({ claim, json }: Settled) =>
      store.undo(claim, parseJson(json) as Claimed),
    )
    return () => this.#living.delete(owner)
  }
}

/** The Idempotency-Keys of a worker. */
export class WorkerIdempotency implements IdempotencyStore {
  readonly #channel: Channel
  readonly #end: () => Promise<void>

  /** @param end closes what the worker has opened beside it */
  constructor(channel: Channel, end: () => Promise<void>) {
    this.#channel = channel
    this.#end = end
  }

  async claim(claim: Claim): Promise<Claimed> {
    return parseJson((await this.#channel.ask('keys.claim', claim)) as string) as Claimed
  }

  /** The primary process takes over the claims of a worker only when that has ended. */
  holds(): boolean {
    return true
  }

  async complete(claim: Claim, answer: Answer): Promise<void> {
    await this.#channel.ask('keys.complete', { claim, json: JSON.stringify(answer) })
  }

  async release(claim: Claim): Promise<void> {
    await this.#channel.ask('keys.release', claim)
  }

  async undo(claim: Claim, claimed: Claimed): Promise<void> {
    await this.#channel.ask('keys.undo', { claim, json: JSON.stringify(claimed) })
  }

  async close(): Promise<void> {
    await this.#end()
  }
}
