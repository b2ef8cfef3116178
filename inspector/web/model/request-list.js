/** The list of requests: a first page, older ones when asked for, and new ones as they end. */
import { ApiError, access, getData } from '../lib/api.js'
import { followStream } from '../lib/event-stream.js'
import { Store } from '../lib/store.js'

/**
 * @typedef {import('../../../src/journal/journal.ts').RequestRow} RequestRow
 * @typedef {import('../../../src/journal/journal.ts').Page<RequestRow>} RequestPage
 */

/**
 * @typedef {object} ListState
 * @property {readonly RequestRow[]} rows newest first
 * @property {readonly RequestRow[]} held new ones that wait while somebody reads
 * @property {boolean} loading
 * @property {'connecting' | 'live' | 'lost'} stream
 * @property {boolean} hasOlder
 * @property {string | null} failure
 */

const PAGE_SIZE = 50
/** Rows kept while new ones stream in; those that fall off the end can be had again as older ones. */
const MOST_ROWS = 500

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
  /** Whose list with which filters this is. */
  #shown = ''
  #holding = false
  /** @type {string | null} */
  #cursor = null
  #open = new AbortController()
  /** How far down it was read, to go on there when it is shown again. */
  scrollTop = 0

  constructor() {
    super(EMPTY)
  }

  /**
   * Shows what these filters let through, unless it does so already.
   * @param {URLSearchParams} query
   */
  async show(query) {
    const wanted = `${access.state.key}?${query}`
    if (wanted === this.#shown) return
    this.#shown = wanted
    this.#open.abort()
    this.#open = new AbortController()
    const { signal } = this.#open
    this.#query = new URLSearchParams(query)
    this.#cursor = null
    this.scrollTop = 0
    this.update(EMPTY)
    // The first page is shown at once, and read again when the stream is open: nothing falls in between.
    void followStream(`/v1/requests/stream?${this.#query}`, {
      signal,
      onOpen: () => {
        this.update({ stream: 'live' })
        void this.#loadNewest(signal)
      },
      // The other event, `gap`, says that more was missed than is sent again: the page is read anew.
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

  async older() {
    const oldest = this.state.rows.at(-1)
    if (!oldest) return
    const page = await this.#load(
      this.#cursor === null
        ? { until: String(Date.parse(oldest.time) + 1) }
        : { after: this.#cursor },
      this.#open.signal,
    )
    if (!page) return
    this.#cursor = page.pageInfo.endCursor
    const rows = merge(this.state.rows, page.items)
    this.update({ rows, hasOlder: page.pageInfo.hasNextPage })
  }

  /**
   * While held, new rows wait instead of moving what is read.
   * @param {boolean} holding
   */
  hold(holding) {
    this.#holding = holding
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
   * @returns {Promise<RequestPage | null>} null when it failed, or nobody waits for it any more
   */
  async #load(page, signal) {
    const query = new URLSearchParams(this.#query)
    for (const [name, value] of Object.entries(page)) query.set(name, value)
    query.set('limit', String(PAGE_SIZE))
    try {
      const data = /** @type {RequestPage} */ (await getData(`/v1/requests?${query}`, signal))
      this.update({ failure: null })
      return signal.aborted ? null : data
    } catch (error) {
      if (!signal.aborted) {
        const failure = error instanceof ApiError ? error.message : String(error)
        this.update({ failure, loading: false })
      }
      return null
    }
  }

  /** @param {RequestRow} row */
  #arrive(row) {
    const { rows, held } = this.state
    if (this.#holding) this.update({ held: merge(held, [row]) })
    else this.#setRows({ rows: merge(rows, [row]) })
  }

  /** @param {Partial<ListState> & Pick<ListState, 'rows'>} change */
  #setRows(change) {
    const { rows } = change
    if (rows.length <= MOST_ROWS || rows.length <= this.state.rows.length)
      return this.update(change)
    this.#cursor = null
    this.update({ ...change, rows: rows.slice(0, MOST_ROWS), hasOlder: true })
  }
}

/**
 * Each request once, newest first: a request is told when it ends, which need not be in the order in which
 * they began.
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
