import { BucketMap, bucketOf } from '../lib/bucket-map.ts'
import { Aborter, type Signal } from '../lib/signal.ts'

/** Work that several callers wait for. */
interface Shared<T> {
  readonly key: string
  readonly bucket: number
  readonly aborter: Aborter
  waiting: Waiter<T>[]
}

/** A caller that waits. */
interface Waiter<T> {
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
}

export interface Joined<T> {
  readonly value: T
  /** Whether another caller had started the work. */
  readonly joined: boolean
}

type Work<T> = (signal: Signal) => Promise<T>

/** Lets identical concurrent reads share one run. The run is aborted only when all callers that waited for it have left. */
export class InFlight<T> {
  readonly #shared = new BucketMap<Shared<T>>()

  /**
   * Runs `work`, or joins the run of the same key. A caller whose signal aborts while others wait is rejected with
   * the signal's reason. For the last caller the work is aborted, and the caller gets its result.
   */
  run(key: string, signal: Signal | null, work: Work<T>): Promise<Joined<T>> {
    const bucket = bucketOf(key)
    const running = this.#shared.get(key, bucket)
    const shared = running ?? this.#begin(key, bucket, work)
    return this.#join(shared, signal, running !== undefined)
  }

  #join(shared: Shared<T>, signal: Signal | null, joined: boolean): Promise<Joined<T>> {
    return new Promise((resolve, reject) => {
      const end = () => signal?.removeEventListener('abort', leave)
      const waiter: Waiter<T> = {
        resolve: value => {
          end()
          resolve({ value, joined })
        },
        reject: error => {
          end()
          reject(error as Error)
        },
      }
      const leave = () => this.#leave(shared, waiter, signal?.reason)
      // Most have one caller, for which a pushed array would be large.
      if (joined) shared.waiting.push(waiter)
      else shared.waiting = [waiter]
      signal?.addEventListener('abort', leave)
      if (signal?.aborted) leave()
    })
  }

  #leave(shared: Shared<T>, waiter: Waiter<T>, reason: unknown): void {
    if (shared.waiting.length > 1) {
      shared.waiting = shared.waiting.filter(other => other !== waiter)
      return waiter.reject(reason)
    }
    // A new caller must not join a run that is being aborted.
    this.#close(shared)
    shared.aborter.abort(reason)
  }

  #begin(key: string, bucket: number, work: Work<T>): Shared<T> {
    const aborter = new Aborter()
    const shared: Shared<T> = { key, bucket, aborter, waiting: [] }
    this.#shared.add(key, shared, bucket)
    work(aborter).then(
      value => {
        this.#close(shared)
        for (const { resolve } of shared.waiting) resolve(value)
      },
      (error: unknown) => {
        this.#close(shared)
        for (const { reject } of shared.waiting) reject(error)
      },
    )
    return shared
  }

  #close(shared: Shared<T>): void {
    const { key, bucket } = shared
    if (this.#shared.get(key, bucket) === shared) this.#shared.delete(key, bucket)
  }
}
