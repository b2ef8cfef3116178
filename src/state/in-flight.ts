import { BucketMap } from '../lib/bucket-map.ts'
import { Aborter, type Signal } from '../lib/signal.ts'

/** Work that several callers wait for. */
interface Shared<T> {
  readonly promise: Promise<T>
  readonly aborter: Aborter
  waiting: number
}

export interface Joined<T> {
  readonly value: T
  /** Whether another caller had started the work. */
  readonly joined: boolean
}

/** Lets identical concurrent reads share one run. The run is aborted only when all callers that waited for it have left. */
export class InFlight<T> {
  readonly #shared = new BucketMap<Shared<T>>()

  /**
   * Runs `work`, or joins the run of the same key. A caller whose signal aborts while others wait is rejected with
   * the signal's reason. For the last caller the work is aborted, and the caller gets its result.
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
        promise.then(resolve, reject)
      })
      return { value, joined }
    } finally {
      shared.waiting--
      signal?.removeEventListener('abort', leave)
    }
  }

  #leave(key: string, shared: Shared<T>, reject: () => void, signal: Signal | null): void {
    if (shared.waiting > 1) return reject()
    // A new caller must not join a run that is being aborted.
    if (this.#shared.get(key) === shared) this.#shared.delete(key)
    shared.aborter.abort(signal?.reason)
  }

  #begin(key: string, work: (signal: Signal) => Promise<T>): Shared<T> {
    const aborter = new Aborter()
    const promise = work(aborter)
    const shared: Shared<T> = { promise, aborter, waiting: 0 }
    this.#shared.add(key, shared)
    const end = () => {
      if (this.#shared.get(key) === shared) this.#shared.delete(key)
    }
    promise.then(end, end)
    return shared
  }
}
