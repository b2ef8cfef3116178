type Use<T, U> = (value: T) => U | PromiseLike<U>

const PENDING = 0
const KEPT = 1
const FAILED = 2

/**
 * A value that comes later. Continues whatever waits for it at once, in the call that settles it: a promise takes a turn of the
 * microtask queue for each step. `then` and `await` work as with a promise. See docs/decisions/few-promises.md.
 */
export class Eventual<T> implements PromiseLike<T> {
  #state: typeof PENDING | typeof KEPT | typeof FAILED = PENDING
  /** The value, or the error. */
  #outcome: unknown = undefined
  readonly #use: Use<never, T> | null
  readonly #rescue: Use<unknown, T> | null
  /** Whatever waits for this value. Mostly that is one, for which an array would be large. */
  #first: Eventual<unknown> | null = null
  #others: Eventual<unknown>[] | null = null
  #isHeard = false

  /** Call it without arguments, then `settle` or `fail` once. */
  constructor(use: Use<never, T> | null = null, rescue: Use<unknown, T> | null = null) {
    this.#use = use
    this.#rescue = rescue
  }

  /** Follows a promise. */
  static of<T>(promise: PromiseLike<T>): Eventual<T> {
    const eventual = new Eventual<T>()
    promise.then(
      value => eventual.settle(value),
      (error: unknown) => eventual.fail(error),
    )
    return eventual
  }

  settle(value: T): void {
    this.#end(KEPT, value)
  }

  fail(error: unknown): void {
    this.#end(FAILED, error)
  }

  // oxlint-disable-next-line unicorn/no-thenable -- to everybody else it is a promise
  then<U = T, F = never>(use?: Use<T, U> | null, rescue?: Use<unknown, F> | null): Eventual<U | F> {
    const next = new Eventual<U | F>(use ?? null, rescue ?? null)
    this.#isHeard = true
    if (this.#state !== PENDING) next.#take(this.#state, this.#outcome)
    else if (this.#first === null) this.#first = next as Eventual<unknown>
    else (this.#others ??= []).push(next as Eventual<unknown>)
    return next
  }

  #take(state: typeof KEPT | typeof FAILED, outcome: unknown): void {
    const use = (state === KEPT ? this.#use : this.#rescue) as Use<unknown, T> | null
    if (use === null) return this.#end(state, outcome)
    let made: T | PromiseLike<T>
    try {
      made = use(outcome)
    } catch (error) {
      return this.#end(FAILED, error)
    }
    if (!isEventual(made)) return this.#end(KEPT, made)
    made.then(
      value => this.#end(KEPT, value),
      (error: unknown) => this.#end(FAILED, error),
    )
  }

  /** Only the first end counts. */
  #end(state: typeof KEPT | typeof FAILED, outcome: unknown): void {
    if (this.#state !== PENDING) return
    this.#state = state
    this.#outcome = outcome
    const first = this.#first
    const others = this.#others
    this.#first = null
    this.#others = null
    if (first !== null) first.#take(state, outcome)
    else if (state === FAILED) setImmediate(() => this.#reportUnheard())
    if (others !== null) for (const next of others) next.#take(state, outcome)
  }

  /** Node ends a process for the error of a promise that nobody handles, so a bug is not lost silently. */
  #reportUnheard(): void {
    if (!this.#isHeard) void Promise.reject(this.#outcome as Error)
  }
}

/** Whether a value is still to come. */
export function isEventual<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return value instanceof Eventual || value instanceof Promise
}
