import type { CallContext } from '../model/adapter.ts'
import type { GoodReply, Reply } from '../model/reply.ts'

const MOST_ENTRIES = 1_000
/** Larger answers are fetched again rather than kept. Characters of JSON. */
const MOST_SIZE = 256 * 1024

/** Answers that other gateways have got. */
export interface OtherReplies {
  /** Undefined at once when there is none. */
  find(keyOf: () => string): Promise<GoodReply | undefined> | undefined
  keep(key: string, reply: GoodReply): void
}

/**
 * Answers kept with their ETag, so that asking again costs the upstream's quota nothing: it says 304 and the
 * kept answer is as good as new. Keys hold the credential: no answer is ever shown to another.
 */
export class Revalidation {
  readonly #replies = new Map<string, GoodReply>()
  /** Asked for what is not kept here. @default null: this gateway is the only one */
  others: OtherReplies | null = null

  /**
   * Calls with `If-None-Match` when there is something to revalidate.
   * @param keyOf asked only when something is or can be kept: from many upstreams, nothing ever is.
   */
  async call(
    keyOf: () => string,
    context: CallContext,
    send: (context: CallContext) => Promise<Reply>,
  ): Promise<Reply> {
    const found = this.#find(keyOf)
    const kept = found instanceof Promise ? await found : found
    const etag = kept?.headers.etag
    const reply = await send(etag === undefined ? context : { ...context, etag })
    if (!reply.ok) return reply
    if (reply.status === 304 && kept) {
      this.#keep(keyOf(), kept)
      return { ...kept, status: 304, exchange: reply.exchange }
    }
    if (reply.headers.etag === undefined || !isSmall(reply)) return reply
    const key = keyOf()
    this.#keep(key, reply)
    this.others?.keep(key, reply)
    return reply
  }

  #find(keyOf: () => string): GoodReply | undefined | Promise<GoodReply | undefined> {
    const own = this.#replies.size === 0 ? undefined : this.#replies.get(keyOf())
    return own ?? this.others?.find(keyOf)
  }

  #keep(key: string, reply: GoodReply): void {
    this.#replies.delete(key)
    this.#replies.set(key, reply)
    const [oldest] = this.#replies.keys()
    if (this.#replies.size > MOST_ENTRIES && oldest !== undefined) this.#replies.delete(oldest)
  }
}

function isSmall({ headers, body }: GoodReply): boolean {
  const length = headers['content-length'] ?? JSON.stringify(body)?.length ?? 0
  return Number(length) < MOST_SIZE
}
