import { BucketMap, bucketOf } from '../lib/bucket-map.ts'
import { Eventual } from '../lib/eventual.ts'
import { Aborter, type Signal } from '../lib/signal.ts'

/** Work that several callers wait for. */
interface Shared<T> {
  readonly key: string
  readonly bucket: number
  readonly aborter: Aborter
  /** The callers. */
  waiting: Eventual<T>[]
}

export interface Work<T, Taken> {
  /** Called only if nobody runs it already. */
  readonly work: (signal: Signal) => PromiseLike<T>
  /** Called when the work has ended, before anybody takes its value. */
  readonly end?: () => void
  /** Turns the value into that of one caller. @param joined whether another caller had started the work */
  readonly take: (value: T, joined: boolean) => Taken
}

/** Lets identical concurrent reads share one run. The run is aborted only when all callers that waited for it have left. */
export class InFlight<T> {
  readonly #shared = new BucketMap<Shared<T>>()

  /**
   * Runs `work`, or joins the run of the same key. A caller whose signal aborts while others wait is rejected with
   * the signal's reason. For the last caller the work is aborted, and the caller gets its result.
   */
  run<Taken>(key: string, signal: Signal | null, work: Work<T, Taken>): Eventual<Taken> {
    const bucket = bucketOf(key)
    const running = this.#shared.get(key, bucket)
    if (running) return this.#join(running, signal, true, work.take)
    const shared: Shared<T> = { key, bucket, aborter: new Aborter(), waiting: [] }
    this.#shared.add(key, shared, bucket)
    const taken = this.#join(shared, signal, false, work.take)
    this.#begin(shared, work)
    return taken
  }

  #join<Taken>(
    shared: Shared<T>,
    signal: Signal | null,
    joined: boolean,
    take: Work<T, Taken>['take'],
  ): Eventual<Taken> {
    const waiter = new Eventual<T>()
    const end = () => signal?.removeEventListener('abort', leave)
    const leave = () => this.#leave(shared, waiter, signal?.reason)
    // Most have one caller, for which a pushed array would be large.
    if (joined) shared.waiting.push(waiter)
    else shared.waiting = [waiter]
    signal?.addEventListener('abort', leave)
    const taken = waiter.then(
      value => {
        end()
        return take(value, joined)
      },
      (error: unknown) => {
        end()
        throw error
      },
    )
    if (signal?.aborted) leave()
    return taken
  }

  #leave(shared: Shared<T>, waiter: Eventual<T>, reason: unknown): void {
    if (shared.waiting.length > 1) {
      shared.waiting = shared.waiting.filter(other => other !== waiter)
      return waiter.fail(reason)
    }
    // A new caller must not join a run that is being aborted.
    this.#close(shared)
    shared.aborter.abort(reason)
  }

  /** The work may end at once, so its first caller waits already. */
  #begin(shared: Shared<T>, { work, end }: Work<T, unknown>): void {
    const failed = (error: unknown) => {
      end?.()
      this.#close(shared)
      for (const waiter of shared.waiting) waiter.fail(error)
    }
    try {
      work(shared.aborter).then(value => {
        end?.()
        this.#close(shared)
        for (const waiter of shared.waiting) waiter.settle(value)
      }, failed)
    } catch (error) {
      failed(error)
    }
  }

  #close(shared: Shared<T>): void {
    const { key, bucket } = shared
    if (this.#shared.get(key, bucket) === shared) this.#shared.delete(key, bucket)
  }
}
