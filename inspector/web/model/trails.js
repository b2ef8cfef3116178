/**
 * The routes that each listed request went over, in order. The list of requests only counts attempts, so
 * they are read from the list of attempts: those of one page of requests in one go.
 */
import { getData } from '../lib/api.js'
import { Store } from '../lib/store.js'

/**
 * @typedef {import('../../../src/journal/journal.ts').RequestRow} RequestRow
 * @typedef {import('../../../src/journal/journal.ts').AttemptRow} AttemptRow
 * @typedef {import('../../../src/journal/journal.ts').Page<AttemptRow>} AttemptPage
 * @typedef {Pick<AttemptRow, 'route' | 'status' | 'code' | 'reason'>} Step
 */

const MOST_PAGES = 4
const MOST_KEPT = 2000

/** @type {Store<{ trails: ReadonlyMap<string, readonly Step[]> }>} */
export const trails = new Store({ trails: new Map() })

/** @type {Set<string>} */
const asked = new Set()

/**
 * The trail of a request as far as its own row tells it; null when the attempts have to be read.
 * @param {RequestRow} row
 * @returns {readonly Step[] | null}
 */
export function plainTrail({ attempts, route_used, ok, code }) {
  if (attempts === 0) return []
  if (attempts > 1 || route_used === null) return null
  return [{ route: route_used, status: ok ? 'success' : 'error', code, reason: null }]
}

/**
 * Reads the trails of these rows, as far as they are not known.
 * @param {readonly RequestRow[]} rows
 */
export async function loadTrails(rows) {
  const wanted = rows.filter(row => plainTrail(row) === null && !asked.has(row.request_id))
  if (wanted.length === 0) return
  for (const row of wanted) asked.add(row.request_id)
  for (const span of spansOf(wanted)) {
    // A trail is an ornament: without it the row still says which route was used.
    const attempts = await readAttempts(span).catch(() => [])
    keep(new Set(wanted.map(row => row.request_id)), attempts)
  }
}

/**
 * Rows close together are read in one span of time; a list with wide gaps, as filters make it, row by row:
 * otherwise everything in between would be read with them.
 * @param {readonly RequestRow[]} rows newest first
 * @returns {{ since: number, until: number }[]}
 */
export function spansOf(rows) {
  const GAP_MS = 10_000
  /** @type {{ since: number, until: number }[]} */
  const spans = []
  for (const row of rows) {
    const time = Date.parse(row.time)
    const last = spans.at(-1)
    if (last && last.since - time <= GAP_MS) last.since = time
    else spans.push({ since: time, until: time + 1 })
  }
  return spans
}

/** @param {{ since: number, until: number }} span */
async function readAttempts({ since, until }) {
  /** @type {AttemptRow[]} */
  const attempts = []
  const query = new URLSearchParams({ since: `${since}`, until: `${until}`, limit: '200' })
  for (let page = 0; page < MOST_PAGES; page++) {
    const { items, pageInfo } = /** @type {AttemptPage} */ (await getData(`/v1/attempts?${query}`))
    attempts.push(...items)
    if (!pageInfo.hasNextPage || pageInfo.endCursor === null) return attempts
    query.set('after', pageInfo.endCursor)
  }
  // The request at the cut may have more attempts: half a trail would tell a lie.
  const cut = attempts.at(-1)?.request_id
  return attempts.filter(({ request_id }) => request_id !== cut)
}

/**
 * @param {ReadonlySet<string>} wanted
 * @param {readonly AttemptRow[]} attempts
 */
function keep(wanted, attempts) {
  const found = Map.groupBy(
    attempts.filter(({ request_id }) => wanted.has(request_id)),
    attempt => attempt.request_id,
  )
  if (found.size === 0) return
  const all = new Map(trails.state.trails)
  for (const [id, steps] of found) {
    all.set(
      id,
      steps.toSorted((a, b) => a.index - b.index),
    )
  }
  for (const id of [...all.keys()].slice(0, Math.max(0, all.size - MOST_KEPT))) {
    all.delete(id)
    asked.delete(id)
  }
  trails.update({ trails: all })
}
