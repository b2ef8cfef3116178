/** The list of requests: the newest page, older pages on demand, and new requests as the stream reports them. */
import { access, getData, messageOf } from '../lib/api.js'
import { followStream } from '../lib/event-stream.js'
import { Store } from '../lib/store.js'

/**
 * @typedef {import('../../../src/journal/row-schemas.ts').RequestRow} RequestRow
 * @typedef {import('../../../src/journal/row-schemas.ts').Page<RequestRow>} PageOfRows
 */

/**
 * @typedef {object} ListState
 * @property {readonly RequestRow[]} rows newest first
 * @property {readonly RequestRow[]} held new rows, not shown yet because the user is reading
 * @property {boolean} loading
 * @property {'connecting' | 'live' | 'lost'} stream
 * @property {boolean} hasOlder
 * @property {string | null} failure
 */

const PAGE_SIZE = 50
/** The list drops its oldest rows beyond this number. The user can load them again as older rows. */
const MAX_ROWS = 500

/** @type {ListState} */
const EMPTY = {
  rows: [],
  held: [],
  loading: true,
  stream: 'connecting',
  hasOlder: false,
  failure: null,
}

/** @extends {Store<ListState>} */
export class RequestList extends Store {
  #query = new URLSearchParams()
  /** The key and the filters of the list that is shown. */
  #shown = ''
  #onHold = false
  /** @type {string | null} */
  #cursor = null
  #controller = new AbortController()
  /** The scroll position to restore when the page shows the list again. */
  scrollTop = 0

  constructor() {
    super(EMPTY)
  }

  /**
   * Shows the requests that match these filters. Does nothing if it already shows them.
   * @param {URLSearchParams} query
   */
  async show(query) {
    const wanted = `${access.state.key}?${query}`
    if (wanted === this.#shown) return
    this.#shown = wanted
    this.#controller.abort()
    this.#controller = new AbortController()
    const { signal } = this.#controller
    this.#query = new URLSearchParams(query)
    this.#cursor = null
    this.scrollTop = 0
    this.update(EMPTY)
    // Load the newest page at once, and again when the stream opens: the second load finds the requests
    // that ended in between.
    void followStream(`/v1/requests/stream?${this.#query}`, {
      signal,
      onOpen: () => {
        this.update({ stream: 'live' })
        void this.#loadNewest(signal)
      },
      // A `gap` event means that the stream cannot resend everything we missed: load the newest page again.
      onEvent: ({ event, data }) =>
        event === 'request' ? this.#arrive(JSON.parse(data)) : void this.#loadNewest(signal),
      onLost: () => this.update({ stream: 'lost' }),
    })
    await this.#loadNewest(signal)
  }

  async reload() {
    this.#shown = ''
    await this.show(this.#query)
  }

  async loadOlder() {
    const oldest = this.state.rows.at(-1)
    if (!oldest) return
    const page = await this.#load(
      this.#cursor === null
        ? { until: String(Date.parse(oldest.time) + 1) }
        : { after: this.#cursor },
      this.#controller.signal,
    )
    if (!page) return
    this.#cursor = page.pageInfo.endCursor
    const rows = merge(this.state.rows, page.items)
    this.update({ rows, hasOlder: page.pageInfo.hasNextPage })
  }

  /**
   * While on hold, the list collects new rows instead of moving the rows that the user reads.
   * @param {boolean} holding
   */
  hold(holding) {
    this.#onHold = holding
    if (!holding) this.release()
  }

  release() {
    const { rows, held } = this.state
    if (held.length > 0) this.#setRows({ rows: merge(rows, held), held: [] })
  }

  /** @param {AbortSignal} signal */
  async #loadNewest(signal) {
    const page = await this.#load({}, signal)
    if (!page) return
    const first = this.state.rows.length === 0
    if (first) {
      this.#cursor = page.pageInfo.endCursor
      this.update({ hasOlder: page.pageInfo.hasNextPage })
    }
    this.#setRows({ rows: merge(this.state.rows, page.items), loading: false })
  }

  /**
   * @param {Record<string, string>} page
   * @param {AbortSignal} signal
   * @returns {Promise<PageOfRows | null>} null if the call failed or the list now shows other filters
   */
  async #load(page, signal) {
    const query = new URLSearchParams(this.#query)
    for (const [name, value] of Object.entries(page)) query.set(name, value)
    query.set('limit', String(PAGE_SIZE))
    try {
      const data = /** @type {PageOfRows} */ (await getData(`/v1/requests?${query}`, signal))
      this.update({ failure: null })
      return signal.aborted ? null : data
    } catch (error) {
      if (!signal.aborted) {
        this.update({ failure: messageOf(error), loading: false })
      }
      return null
    }
  }

  /** @param {RequestRow} row */
  #arrive(row) {
    const { rows, held } = this.state
    if (this.#onHold) this.update({ held: merge(held, [row]) })
    else this.#setRows({ rows: merge(rows, [row]) })
  }

  /** @param {Partial<ListState> & Pick<ListState, 'rows'>} change */
  #setRows(change) {
    const { rows } = change
    if (rows.length <= MAX_ROWS || rows.length <= this.state.rows.length) return this.update(change)
    this.#cursor = null
    this.update({ ...change, rows: rows.slice(0, MAX_ROWS), hasOlder: true })
  }
}

/**
 * Merges rows, newest first, each request once. The stream reports requests in the order in which they end,
 * so a row may belong between older ones.
 * @param {readonly RequestRow[]} rows
 * @param {readonly RequestRow[]} more
 * @returns {readonly RequestRow[]}
 */
export function merge(rows, more) {
  const known = new Set(rows.map(row => row.request_id))
  const added = more.filter(row => !known.has(row.request_id))
  if (added.length === 0) return rows
  return [...rows, ...added].sort(
    (a, b) => b.time.localeCompare(a.time) || b.request_id.localeCompare(a.request_id),
  )
}
