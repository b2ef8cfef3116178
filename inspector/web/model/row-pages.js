/** Loads the rows of a list by pages: the newest, and older ones from where the last page ended. */
import { getData } from '../lib/api.js'

/** @typedef {{ readonly time: string }} Timed */

const FIRST_PAGE = 50
const OLDER_PAGE = 200
/**
 * A user who drags the scrollbar or holds a key wants to get far. Each step that follows this soon loads twice as many pages,
 * up to 5,000 rows.
 */
const SOON_MS = 3000
const MAX_PAGES = 25

/** @template {Timed} R */
export class RowPages {
  #path
  #keyOf
  #query
  #signal
  /** @type {string | null} */
  #cursor = null
  /** The number of pages of the last step. */
  #pages = 1
  #soonUntil = 0

  /**
   * @param {{ path: string, keyOf: (row: R) => string }} of
   * @param {URLSearchParams} query
   * @param {AbortSignal} signal
   */
  constructor({ path, keyOf }, query, signal) {
    this.#path = path
    this.#keyOf = keyOf
    this.#query = query
    this.#signal = signal
  }

  newest() {
    return this.#load({ limit: FIRST_PAGE })
  }

  /**
   * Says where the next older page begins.
   * @param {string | null} cursor null for the requests of the oldest row's millisecond, which may be in the list
   */
  continueAt(cursor) {
    this.#cursor = cursor
  }

  /**
   * Loads some older pages, and goes on while they have nothing new. A failure leaves the place as it was.
   * @param {R} oldest
   * @param {{ room: number, known: ReadonlySet<string> }} list
   */
  async older(oldest, { room, known }) {
    const pages = performance.now() < this.#soonUntil ? Math.min(2 * this.#pages, MAX_PAGES) : 1
    let cursor = this.#cursor
    let hasOlder = true
    /** @type {R[]} */
    const rows = []
    for (let n = 0; hasOlder && rows.length < room && (n < pages || rows.length === 0); n++) {
      const from =
        cursor === null ? { until: String(Date.parse(oldest.time) + 1) } : { after: cursor }
      const page = await this.#load({ ...from, limit: OLDER_PAGE })
      rows.push(...page.items.filter(row => !known.has(this.#keyOf(row))))
      cursor = page.pageInfo.endCursor
      hasOlder = page.pageInfo.hasNextPage
    }
    this.#cursor = cursor
    this.#pages = pages
    this.#soonUntil = performance.now() + SOON_MS
    return { rows, hasOlder }
  }

  /**
   * @param {{ limit: number, until?: string, after?: string }} page
   * @returns {Promise<import('../../../src/journal/row-schemas.ts').Page<R>>}
   */
  async #load(page) {
    const query = new URLSearchParams(this.#query)
    for (const [name, value] of Object.entries(page)) query.set(name, String(value))
    const data = await getData(`${this.#path}?${query}`, this.#signal)
    return /** @type {import('../../../src/journal/row-schemas.ts').Page<R>} */ (data)
  }
}
