import { BoundedMap } from '../lib/bounded-map.ts'
import type { CallContext } from '../model/adapter.ts'
import type { GoodReply, Reply } from '../model/reply.ts'

const MOST_ENTRIES = 1_000
/** Larger replies are not kept, but fetched again. Characters of JSON. */
const MOST_SIZE = 256 * 1024

/** Replies that other gateways keep. */
export interface OtherReplies {
  /** Returns undefined, not a promise, if the others have none. */
  find(keyOf: () => string): Promise<GoodReply | undefined> | undefined
  keep(key: string, reply: GoodReply): void
}

/**
 * Keeps replies with their ETag. Asking again costs none of the upstream's quota: it answers 304, and the kept reply
 * is still valid. Keys contain the credential, so no reply is ever shown to another credential.
 */
export class Revalidation {
  readonly #replies = new BoundedMap<string, GoodReply>(MOST_ENTRIES)
  /** Asked for replies that are not kept here. @default null: there is no other gateway */
  otherGateways: OtherReplies | null = null

  /**
   * Calls with `If-None-Match` if a reply can be revalidated.
   * @param keyOf called only if replies are kept or can be: many upstreams send no ETag.
   */
  call(
    keyOf: () => string,
    context: CallContext,
    send: (context: CallContext) => PromiseLike<Reply>,
  ): PromiseLike<Reply> {
    const ask = (kept: GoodReply | undefined) => {
      const etag = kept?.headers.etag
      const replied = send(etag === undefined ? context : { ...context, etag })
      return replied.then(reply => this.#settle(keyOf, kept, reply, context.requestId))
    }
    const found = this.#find(keyOf)
    return found instanceof Promise ? found.then(ask) : ask(found)
  }

  /** Takes the kept reply for a 304, and keeps a new one. */
  #settle(
    keyOf: () => string,
    kept: GoodReply | undefined,
    reply: Reply,
    requestId: string,
  ): Reply {
    if (!reply.ok) return reply
    if (reply.status === 304 && kept) {
      this.#replies.set(keyOf(), kept)
      const confirms = kept.requestId === undefined ? {} : { confirms: kept.requestId }
      return { ...kept, status: 304, exchange: { ...reply.exchange, ...confirms } }
    }
    if (reply.headers.etag === undefined || !isSmall(reply)) return reply
    const key = keyOf()
    const own = { ...reply, requestId }
    this.#replies.set(key, own)
    this.otherGateways?.keep(key, own)
    return reply
  }

  #find(keyOf: () => string): GoodReply | undefined | Promise<GoodReply | undefined> {
    const own = this.#replies.size === 0 ? undefined : this.#replies.get(keyOf())
    return own ?? this.otherGateways?.find(keyOf)
  }
}

function isSmall({ headers, body }: GoodReply): boolean {
  const length = headers['content-length'] ?? JSON.stringify(body)?.length ?? 0
  return Number(length) < MOST_SIZE
}
