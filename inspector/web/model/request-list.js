/** The list of requests: the newest page, older pages on demand, and new requests as the stream reports them. */
import { access, messageOf } from '../lib/api.js'
import { followStream } from '../lib/event-stream.js'
import { Store } from '../lib/store.js'
import { RowPages } from './row-pages.js'
import { mergeRows } from './rows.js'

/** @typedef {import('../../../src/journal/row-schemas.ts').RequestRow} RequestRow */

/**
 * @typedef {object} ListState
 * @property {readonly RequestRow[]} rows newest first
 * @property {number} held the number of new rows that are not shown yet
 * @property {boolean} paused the user stopped the list until further notice
 * @property {boolean} loading
 * @property {boolean} loadingOlder
 * @property {'connecting' | 'live' | 'lost'} stream
 * @property {boolean} hasOlder
 * @property {string | null} failure
 */

/**
 * Where the user is in the list, so that the list looks the same after a visit to another page.
 * @typedef {object} ReadingPosition
 * @property {number} scrollTop
 * @property {import('../vendor/virtual-core/index.js').VirtualItem[]} sizes the measured heights of rows
 * @property {string | null} current the id of the row that had the focus
 */

/** While the user watches the top, the list drops its oldest rows beyond this number, and loads them again on demand. */
const MAX_LIVE_ROWS = 2000
/** A list of this length takes some 100 MB. */
export const MAX_ROWS = 100_000
/** Beyond this number of held rows, the list loads the newest page again instead. */
const MAX_HELD = 1000
/** Rows that arrive together are drawn together. Nobody reads faster. */
const GATHER_MS = 100

const OF = { path: '/v1/requests', keyOf: (/** @type {RequestRow} */ row) => row.request_id }

/** @type {ListState} */
const EMPTY = {
  rows: [],
  held: 0,
  paused: false,
  loading: true,
  loadingOlder: false,
  stream: 'connecting',
  hasOlder: false,
  failure: null,
}

/** @extends {Store<ListState>} */
export class RequestList extends Store {
  #query = new URLSearchParams()
  /** The key and the filters of the list that is shown. */
  #shown = ''
  #reading = false
  /** @type {Set<string>} */
  #known = new Set()
  /** @type {RequestRow[]} */
  #arrived = []
  /** @type {RequestRow[]} */
  #held = []
  /** Whether rows are missing between the list and the newest ones. */
  #hasGap = false
  #controller = new AbortController()
  #pages = new RowPages(OF, this.#query, this.#controller.signal)
  /** @type {ReadingPosition} */
  position = { scrollTop: 0, sizes: [], current: null }

  constructor() {
    super(EMPTY)
  }

  /**
   * Shows the requests that match these filters. Does nothing if it already shows them.
   * @param {URLSearchParams} query
   * @returns {boolean} whether the list starts anew
   */
  show(query) {
    const wanted = `${access.state.key}?${query}`
    if (wanted === this.#shown) return false
    this.#shown = wanted
    this.#controller.abort()
    this.#controller = new AbortController()
    const { signal } = this.#controller
    this.#query = new URLSearchParams(query)
    this.#pages = new RowPages(OF, this.#query, signal)
    this.#empty()
    this.update({ ...EMPTY, paused: this.state.paused })
    // Load the newest page at once, and again when the stream opens: the second load finds the requests
    // that ended in between.
    void this.#loadNewest(signal)
    void followStream(`/v1/requests/stream?${this.#query}`, {
      signal,
      onOpen: () => {
        this.update({ stream: 'live' })
        void this.#loadNewest(signal)
      },
      onEvent: ({ event, data }) =>
        event === 'request' ? this.#arrive(JSON.parse(data)) : this.#miss(),
      onLost: () => this.update({ stream: 'lost' }),
    })
    return true
  }

  reload() {
    this.#shown = ''
    this.show(this.#query)
  }

  /** Loads older rows, if there are any and none are being loaded. */
  async loadOlder() {
    const { signal } = this.#controller
    const { rows, hasOlder, loadingOlder } = this.state
    const oldest = rows.at(-1)
    const room = MAX_ROWS - rows.length
    if (loadingOlder || !hasOlder || !oldest || room <= 0) return
    this.update({ loadingOlder: true })
    const pages = this.#pages
    const older = await this.#try(() => pages.older(oldest, { room, known: this.#known }), signal)
    // The list may have begun anew in the meantime.
    if (pages !== this.#pages) return
    this.#add(older?.rows ?? [], { loadingOlder: false, hasOlder: older?.hasOlder ?? true })
  }

  /**
   * While the user reads, the list collects new rows instead of moving the rows that the user reads.
   * @param {boolean} reading
   */
  read(reading) {
    this.#reading = reading
    this.#releaseUnlessHeld()
  }

  togglePause() {
    this.update({ paused: !this.state.paused })
    this.#releaseUnlessHeld()
  }

  #releaseUnlessHeld() {
    if (!this.#reading && !this.state.paused && this.state.held > 0) this.release()
  }

  /** Shows the new rows. */
  release() {
    if (this.#hasGap) return this.#restart()
    const held = this.#held
    this.#held = []
    this.#add(held, { held: 0 })
  }

  /** @param {RequestRow} row */
  #arrive(row) {
    this.#arrived.push(row)
    if (this.#arrived.length > 1) return
    const { signal } = this.#controller
    setTimeout(() => signal.aborted || this.#showArrived(), GATHER_MS)
  }

  #showArrived() {
    const arrived = this.#arrived.filter(row => !this.#known.has(row.request_id))
    this.#arrived = []
    if (this.#reading || this.state.paused) return this.#hold(arrived)
    this.#add(arrived)
    this.#trim()
  }

  /** @param {readonly RequestRow[]} arrived */
  #hold(arrived) {
    const held = this.state.held + arrived.length
    this.#hasGap ||= held > MAX_HELD
    if (this.#hasGap) this.#held = []
    else this.#held.push(...arrived)
    this.update({ held })
  }

  /** The stream could not resend everything that this page missed. */
  #miss() {
    this.#hasGap = true
    if (this.#reading || this.state.paused) this.update({ held: this.state.held + 1 })
    else this.#restart()
  }

  #restart() {
    const { signal } = this.#controller
    this.#pages = new RowPages(OF, this.#query, signal)
    this.#empty()
    this.update({ rows: [], held: 0, hasOlder: false, loading: true, loadingOlder: false })
    void this.#loadNewest(signal)
  }

  #empty() {
    this.position = { scrollTop: 0, sizes: [], current: null }
    this.#hasGap = false
    this.#held = []
    this.#arrived = []
    this.#known.clear()
  }

  /** @param {AbortSignal} signal */
  async #loadNewest(signal) {
    const page = await this.#try(() => this.#pages.newest(), signal)
    if (!page) return
    const first = this.state.rows.length === 0
    if (first) this.#pages.continueAt(page.pageInfo.endCursor)
    this.#add(page.items, {
      loading: false,
      ...(first ? { hasOlder: page.pageInfo.hasNextPage } : {}),
    })
  }

  /**
   * @template T
   * @param {() => Promise<T>} load
   * @param {AbortSignal} signal
   * @returns {Promise<T | null>} null if the call failed or the list now shows other filters
   */
  async #try(load, signal) {
    try {
      const data = await load()
      if (signal.aborted) return null
      this.update({ failure: null })
      return data
    } catch (error) {
      if (!signal.aborted) this.update({ failure: messageOf(error), loading: false })
      return null
    }
  }

  /**
   * @param {readonly RequestRow[]} more
   * @param {Partial<ListState>} [change]
   */
  #add(more, change = {}) {
    const rows = mergeRows(this.state.rows, more, this.#known)
    for (const { request_id } of more) this.#known.add(request_id)
    this.update({ ...change, rows })
  }

  #trim() {
    const { rows, loadingOlder } = this.state
    // Pages that are on their way continue at the last row.
    if (rows.length <= MAX_LIVE_ROWS || loadingOlder) return
    for (const { request_id } of rows.slice(MAX_LIVE_ROWS)) this.#known.delete(request_id)
    this.#pages.continueAt(null)
    this.update({ rows: rows.slice(0, MAX_LIVE_ROWS), hasOlder: true })
  }
}
