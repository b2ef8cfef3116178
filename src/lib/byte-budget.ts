/**
 * Bounds the bytes of answers that the gateway holds at once, over all requests. The bytes of an answer stay counted
 * until the caller has got it, because its text, its values and its envelope live until then.
 */
export class ByteBudget {
  readonly limit: number
  #held = 0
  #waiting: (() => void)[] = []

  constructor(limit: number) {
    this.limit = limit
  }

  get held(): number {
    return this.#held
  }

  open(options: HoldOptions): Hold {
    return new Hold(this, options)
  }

  add(bytes: number): void {
    this.#held += bytes
    if (bytes >= 0 || this.#waiting.length === 0) return
    const waiting = this.#waiting
    this.#waiting = []
    for (const look of waiting) look()
  }

  hasRoomFor(bytes: number): boolean {
    return this.#held + bytes <= this.limit
  }

  /** Calls `look` once, after bytes have been released. */
  onRelease(look: () => void): void {
    this.#waiting.push(look)
  }
}

export interface HoldOptions {
  /** False for a change: without its answer, nobody would know what happened. It counts, but is never refused. */
  readonly mayFail: boolean
  /** False for a call of a batch, whose answers are released together: they would wait for each other. */
  readonly mayWait: boolean
}

/** The bytes of one request's answers. */
export class Hold {
  readonly #budget: ByteBudget
  readonly #options: HoldOptions
  #bytes = 0
  #users = 1

  constructor(budget: ByteBudget, options: HoldOptions) {
    this.#budget = budget
    this.#options = options
  }

  /** Counts bytes, or takes back negative ones. Returns false, and counts nothing, if they exceed the budget. */
  take(bytes: number): boolean {
    if (bytes > 0 && this.#options.mayFail && !this.#budget.hasRoomFor(bytes)) return false
    this.#bytes += bytes
    if (this.#users > 0) this.#budget.add(bytes)
    return true
  }

  mayWaitFor(bytes: number): boolean {
    return this.#options.mayWait && bytes <= this.#budget.limit
  }

  onRelease(look: () => void): void {
    this.#budget.onRelease(look)
  }

  /** For another request that gets the same answer. */
  share(): void {
    if (this.#users++ === 0) this.#budget.add(this.#bytes)
  }

  release(): void {
    if (--this.#users === 0) this.#budget.add(-this.#bytes)
  }
}

/** A hold that is never full, for runs that send nothing. */
export function unlimitedHold(): Hold {
  return new ByteBudget(Number.POSITIVE_INFINITY).open({ mayFail: false, mayWait: false })
}
