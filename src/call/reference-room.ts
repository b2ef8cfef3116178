import type { Hold } from '../lib/byte-budget.ts'
import { jsonSize } from '../lib/json-size.ts'
import { GatewayError } from '../model/errors.ts'
import { invalid } from './references.ts'

/** The characters of JSON that the references of a batch may search, each the whole answer or item that it selects from. */
export const MOST_READ = 64 * 1024 * 1024

/**
 * Bounds what the references of a batch cost: one batch has room for thousands of them, and each may search or copy an answer
 * of 20 MB. The values that they fill in count with the answers that the gateway holds, as long as the batch runs.
 */
export class ReferenceRoom {
  readonly #held: Hold
  readonly #sizes = new WeakMap<object, number>()
  #left = MOST_READ

  constructor(held: Hold) {
    this.#held = held
  }

  /** @throws {GatewayError} VALIDATION when the references have searched too much */
  read(source: unknown, place: string): void {
    this.#left -= this.#sizeOf(source)
    if (this.#left >= 0) return
    const most = `${MOST_READ / 1024 / 1024} MiB`
    throw invalid(
      place,
      `searches too much: the references of a batch may search ${most} of answers together, each the whole answer of its call. Use fewer references, or paths of names and positions`,
    )
  }

  /** @throws {GatewayError} TOO_LARGE when the gateway has no room for the value */
  fill(value: unknown, place: string): void {
    if (this.#held.take(this.#sizeOf(value))) return
    throw new GatewayError(
      'TOO_LARGE',
      `"${place}" selects more than max_held_bytes leaves room for. Nothing was sent. Select less, or make fewer calls at once.`,
      { source: 'gateway' },
    )
  }

  /** An answer is read by many references, and measured once. */
  #sizeOf(value: unknown): number {
    if (value === null || typeof value !== 'object') return jsonSize(value, MOST_READ)
    const known = this.#sizes.get(value)
    if (known !== undefined) return known
    const size = jsonSize(value, MOST_READ)
    this.#sizes.set(value, size)
    return size
  }
}
