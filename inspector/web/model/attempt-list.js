/** The list of attempts: the newest page, and older pages on demand. */
import { access, messageOf } from '../lib/api.js'
import { Store } from '../lib/store.js'
import { MAX_ROWS } from './request-list.js'
import { RowPages } from './row-pages.js'

/** @typedef {import('../../../src/journal/row-schemas.ts').AttemptRow} AttemptRow */

/**
 * @typedef {object} AttemptListState
 * @property {readonly AttemptRow[]} rows newest first
 * @property {boolean} loading
 * @property {boolean} loadingOlder
 * @property {boolean} hasOlder
 * @property {string | null} failure
 */

/** @param {AttemptRow} row */
export function keyOfAttempt({ request_id, index }) {
  return `${request_id} ${index}`
}

const OF = { path: '/v1/attempts', keyOf: keyOfAttempt }

/** @type {AttemptListState} */
const EMPTY = { rows: [], loading: true, loadingOlder: false, hasOlder: false, failure: null }

/** @extends {Store<AttemptListState>} */
export class AttemptList extends Store {
  #query = new URLSearchParams()
  /** The key and the filters of the list that is shown. */
  #shown = ''
  /** @type {Set<string>} */
  #known = new Set()
  #controller = new AbortController()
  #pages = new RowPages(OF, this.#query, this.#controller.signal)
  /** @type {import('./request-list.js').ReadingPosition} */
  position = { scrollTop: 0, sizes: [], current: null }

  constructor() {
    super(EMPTY)
  }

  /**
   * Shows the attempts that match these filters. Does nothing if it already shows them.
   * @param {URLSearchParams} query
   * @returns {boolean} whether the list starts anew
   */
  show(query) {
    const wanted = `${access.state.key}?${query}`
    if (wanted === this.#shown) return false
    this.#shown = wanted
    this.#controller.abort()
    this.#controller = new AbortController()
    this.#query = new URLSearchParams(query)
    this.#pages = new RowPages(OF, this.#query, this.#controller.signal)
    this.#known.clear()
    this.position = { scrollTop: 0, sizes: [], current: null }
    this.update(EMPTY)
    void this.#load(async pages => {
      const { items, pageInfo } = await pages.newest()
      pages.continueAt(pageInfo.endCursor)
      return { rows: items, hasOlder: pageInfo.hasNextPage }
    })
    return true
  }

  reload() {
    this.#shown = ''
    this.show(this.#query)
  }

  /** Loads older rows, if there are any and none are being loaded. */
  async loadOlder() {
    const { rows, hasOlder, loadingOlder } = this.state
    const oldest = rows.at(-1)
    const room = MAX_ROWS - rows.length
    if (loadingOlder || !hasOlder || !oldest || room <= 0) return
    this.update({ loadingOlder: true })
    await this.#load(pages => pages.older(oldest, { room, known: this.#known }))
  }

  /** @param {(pages: RowPages<AttemptRow>) => Promise<{ rows: readonly AttemptRow[], hasOlder: boolean }>} load */
  async #load(load) {
    const pages = this.#pages
    const done = { loading: false, loadingOlder: false }
    try {
      const { rows, hasOlder } = await load(pages)
      // The list may have begun anew in the meantime.
      if (pages !== this.#pages) return
      for (const row of rows) this.#known.add(keyOfAttempt(row))
      this.update({ ...done, rows: [...this.state.rows, ...rows], hasOlder, failure: null })
    } catch (error) {
      if (pages === this.#pages) this.update({ ...done, failure: messageOf(error) })
    }
  }
}
