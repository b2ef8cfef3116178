import { messageOf } from './message-of.ts'

/** The way to another process. Messages arrive in the order in which they were sent. */
export interface Wire {
  readonly send: (message: unknown) => void
}

/** Answers what the other side asks. */
export type Handler = (argument: never) => unknown

type Message =
  | { readonly kind: 'ask'; readonly id: number; readonly name: string; readonly argument: unknown }
  | { readonly kind: 'tell'; readonly name: string; readonly argument: unknown }
  | { readonly kind: 'done'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** Lets two processes ask each other, and tell each other without waiting for an answer. */
export class Channel {
  readonly #wire: Wire
  readonly #handlers = new Map<string, Handler>()
  readonly #waiting = new Map<number, Waiting>()
  #asked = 0
  #closed = false
  #heardAt = Number.NEGATIVE_INFINITY

  constructor(wire: Wire) {
    this.#wire = wire
  }

  handle(name: string, handler: Handler): void {
    this.#handlers.set(name, handler)
  }

  tell(name: string, argument: unknown = null): void {
    if (!this.#closed) this.#wire.send({ kind: 'tell', name, argument } satisfies Message)
  }

  /** Rejects if the other side fails, or ends before it has answered. */
  ask(name: string, argument: unknown = null): Promise<unknown> {
    if (this.#closed) return Promise.reject(new Error(GONE))
    const id = this.#asked++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#wire.send({ kind: 'ask', id, name, argument } satisfies Message)
    })
  }

  /** When the other side last said something, monotonic milliseconds. */
  get heardAt(): number {
    return this.#heardAt
  }

  receive(given: unknown): void {
    this.#heardAt = performance.now()
    const message = given as Message
    if (message.kind === 'tell') this.#handlers.get(message.name)?.(message.argument as never)
    else if (message.kind === 'ask') this.#answer(message)
    else this.#settle(message)
  }

  /** The other side has ended. */
  close(): void {
    this.#closed = true
    for (const { reject } of this.#waiting.values()) reject(new Error(GONE))
    this.#waiting.clear()
  }

  #answer({ id, name, argument }: Extract<Message, { kind: 'ask' }>): void {
    const done = (result: unknown) => this.#reply({ kind: 'done', id, result })
    const failed = (error: unknown) =>
      this.#reply({ kind: 'failed', id, message: messageOf(error) })
    try {
      const result = this.#handlers.get(name)?.(argument as never)
      if (result instanceof Promise) result.then(done, failed)
      else done(result)
    } catch (error) {
      failed(error)
    }
  }

  #reply(message: Message): void {
    if (!this.#closed) this.#wire.send(message)
  }

  #settle(message: Extract<Message, { kind: 'done' | 'failed' }>): void {
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if (message.kind === 'done') waiting?.resolve(message.result)
    else waiting?.reject(new Error(message.message))
  }
}

const GONE = 'the other process has ended'
