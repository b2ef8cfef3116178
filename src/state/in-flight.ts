import { Aborter, type Signal } from '../lib/signal.ts'

/**
 * A piece of work that several callers wait for. When it has ended, nothing hangs on it any more: a Map
 * whose entries come and go is copied again and again by V8, each copy hangs on the one before, and what
 * a dead copy holds survives until the next full collection.
 */
interface Shared<T> {
  promise: Promise<T> | null
  aborter: Aborter | null
  waiting: number
}

export interface Joined<T> {
  readonly value: T
  /** Whether somebody else had already begun it. */
  readonly joined: boolean
}

/**
 * Lets identical concurrent reads share one run. The work ends early only when everybody who waited
 * for it has gone; one caller's leaving takes nothing from the others.
 */
export class InFlight<T> {
  readonly #shared = new Map<string, Shared<T>>()

  /**
   * Runs `work`, or joins the run of the same key. A caller who leaves while others wait is rejected with
   * its signal's reason; the last one to leave gets what the aborted work comes to.
   */
  async run(
    key: string,
    signal: Signal | null,
    work: (signal: Signal) => Promise<T>,
  ): Promise<Joined<T>> {
    const running = this.#shared.get(key)
    const shared = running ?? this.#begin(key, work)
    const { promise } = shared
    const joined = running !== undefined
    shared.waiting++
    let leave = () => {}
    try {
      const value = await new Promise<T>((resolve, reject) => {
        leave = () => this.#leave(key, shared, () => reject(signal?.reason as Error), signal)
        signal?.addEventListener('abort', leave)
        if (signal?.aborted) leave()
        promise?.then(resolve, reject)
      })
      return { value, joined }
    } finally {
      shared.waiting--
      signal?.removeEventListener('abort', leave)
    }
  }

  #leave(key: string, shared: Shared<T>, reject: () => void, signal: Signal | null): void {
    if (shared.waiting > 1) return reject()
    // A newcomer must not join a run that is being given up.
    if (this.#shared.get(key) === shared) this.#shared.delete(key)
    shared.aborter?.abort(signal?.reason)
  }

  #begin(key: string, work: (signal: Signal) => Promise<T>): Shared<T> {
    const aborter = new Aborter()
    const promise = work(aborter)
    const shared: Shared<T> = { promise, aborter, waiting: 0 }
    this.#shared.set(key, shared)
    const end = () => {
      if (this.#shared.get(key) === shared) this.#shared.delete(key)
      shared.promise = null
      shared.aborter = null
    }
    promise.then(end, end)
    return shared
  }
}
