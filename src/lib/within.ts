import { Eventual } from './eventual.ts'

/** Waits until `work` ends, well or not, at most `ms` milliseconds; the work itself goes on. Never rejects. */
export function endOf(work: PromiseLike<unknown>, ms: number): Eventual<void> {
  const ended = new Eventual<void>()
  const timer = setTimeout(() => ended.settle(), ms)
  const end = () => {
    clearTimeout(timer)
    ended.settle()
  }
  work.then(end, end)
  return ended
}

/**
 * Waits for `work`, at most `ms` milliseconds; the work itself goes on.
 * @throws {Error} with `message` when the time is up.
 */
export function within<T>(work: Promise<T>, ms: number, message: string): Promise<T> {
  return race(work, ms, reject => reject(), message)
}

/**
 * The same for an answer of another process. One that has arrived while this process was busy counts as in time: timers come
 * before messages in a turn of the event loop, so without a turn more, a process that stands still would call the other silent.
 */
export function withinTurns<T>(work: Promise<T>, ms: number, message: string): Promise<T> {
  return race(work, ms, reject => void setImmediate(reject), message)
}

function race<T>(
  work: Promise<T>,
  ms: number,
  atEnd: (reject: () => void) => void,
  message: string,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const timer = setTimeout(() => atEnd(() => reject(new Error(message))), ms)
  const end =
    <A>(settle: (outcome: A) => void) =>
    (outcome: A) => {
      clearTimeout(timer)
      settle(outcome)
    }
  work.then(end(resolve), end(reject))
  return promise
}
