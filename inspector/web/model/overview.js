/** Turns statistics into the rows of the overview: the worst first, each compared with the time before. */

/**
 * @typedef {import('../../../src/journal/row-schemas.ts').Stats} Stats
 * @typedef {import('../../../src/journal/row-schemas.ts').StatsTotal} StatsTotal
 * @typedef {import('../../../src/model/request-outcome.ts').RequestOutcome} RequestOutcome
 */

/** @type {readonly RequestOutcome[]} in the order of the stack, from the base line up */
export const OUTCOME_STACK = ['first_try', 'later_try', 'refused', 'failed']

/**
 * A capability, or one of its routes, as a row of a table.
 * @typedef {object} Rates
 * @property {number} count requests
 * @property {number} failed
 * @property {number | null} errorRate of the requests that tried a route
 * @property {number | null} p95
 * @property {number} fallbacks
 * @property {number | null} fallbackRate
 *
 * @typedef {object} WorstRow
 * @property {string} key
 * @property {string | null} capability null for requests that reached no capability
 * @property {string | null} route null for a capability
 * @property {number} refused of a route: requests that skipped it
 * @property {Rates} now
 * @property {Rates | null} before
 */

/**
 * @param {Stats} stats
 * @returns {WorstRow[]}
 */
export function capabilityRows(stats) {
  return rowsOf(stats, total => total.route === null, capabilityRates).map(([row, total]) => ({
    ...row,
    refused: total.outcomes?.refused ?? 0,
  }))
}

/**
 * @param {Stats} stats
 * @returns {WorstRow[]}
 */
export function routeRows(stats) {
  return rowsOf(stats, total => total.requests !== null, routeRates).map(([row, total]) => ({
    ...row,
    refused: total.requests?.skipped ?? 0,
  }))
}

/**
 * @param {Stats} stats
 * @param {(total: StatsTotal) => boolean} isRow
 * @param {(total: StatsTotal) => Rates} ratesOf
 * @returns {[Omit<WorstRow, 'refused'>, StatsTotal][]}
 */
function rowsOf({ totals, before }, isRow, ratesOf) {
  const earlier = new Map(before?.totals.filter(isRow).map(total => [keyOf(total), total]))
  return totals.filter(isRow).map(total => {
    const key = keyOf(total)
    const past = earlier.get(key)
    const { capability_id: capability, route } = total
    return [
      { key, capability, route, now: ratesOf(total), before: past ? ratesOf(past) : null },
      total,
    ]
  })
}

/** @param {StatsTotal} total */
function keyOf({ capability_id, route }) {
  return `${capability_id} ${route}`
}

/**
 * @param {StatsTotal} total
 * @returns {Rates}
 */
function capabilityRates({ count, outcomes, p95_ms, fallbacks }) {
  const failed = outcomes?.failed ?? 0
  const tried = count - (outcomes?.refused ?? 0)
  return {
    count,
    failed,
    errorRate: rate(failed, tried),
    p95: p95_ms,
    ...fallbackRates(fallbacks, tried),
  }
}

/**
 * @param {StatsTotal} total
 * @returns {Rates}
 */
function routeRates({ requests, p95_ms, count: attempts, fallbacks }) {
  const { tried = 0, failed = 0 } = requests ?? {}
  return {
    count: tried,
    failed,
    errorRate: rate(failed, tried),
    p95: p95_ms,
    ...fallbackRates(fallbacks, attempts),
  }
}

/**
 * @param {number} fallbacks
 * @param {number} of
 */
function fallbackRates(fallbacks, of) {
  return { fallbacks, fallbackRate: rate(fallbacks, of) }
}

/**
 * @param {number} part
 * @param {number} whole
 */
function rate(part, whole) {
  return whole === 0 ? null : part / whole
}

/**
 * By what a table can be sorted. Rates go by the least rate that is likely, so that one failure of one request does not
 * stand before 400 of 500.
 * @type {Record<string, (row: WorstRow) => number | string>}
 */
export const SORTS = {
  name: ({ capability, route }) => `${capability ?? ''} ${route ?? ''}`,
  count: ({ now }) => now.count,
  failed: ({ now }) => leastLikely(now.failed, now.errorRate),
  p95: ({ now }) => now.p95 ?? -1,
  fallbacks: ({ now }) => leastLikely(now.fallbacks, now.fallbackRate),
  refused: ({ refused }) => refused,
}

/**
 * The lower bound of the Wilson interval, at 95 %.
 * @param {number} part
 * @param {number | null} share
 */
function leastLikely(part, share) {
  if (!share) return share === null ? -1 : 0
  const count = part / share
  const square = 1.96 ** 2
  const centre = share + square / (2 * count)
  const spread = 1.96 * Math.sqrt((share * (1 - share) + square / (4 * count)) / count)
  return (centre - spread) / (1 + square / count)
}

/**
 * @param {readonly WorstRow[]} rows
 * @param {string} by a key of `SORTS`; names go from A to Z, numbers from high to low
 * @param {string} text part of the name
 */
export function arrange(rows, by, text) {
  const valueOf = SORTS[by] ?? SORTS.failed
  const wanted = text.trim().toLowerCase()
  const nameOf = (/** @type {WorstRow} */ row) => String(SORTS.name?.(row)).toLowerCase()
  const compare = (/** @type {WorstRow} */ a, /** @type {WorstRow} */ b) => {
    const [x, y] = [valueOf?.(a) ?? 0, valueOf?.(b) ?? 0]
    if (typeof x === 'string' || typeof y === 'string') return String(x).localeCompare(String(y))
    return y - x || b.now.count - a.now.count || nameOf(a).localeCompare(nameOf(b))
  }
  return rows.filter(row => nameOf(row).includes(wanted)).toSorted(compare)
}

/**
 * Requests by how they ended, and by error code and reason, over all series.
 * @param {Stats} stats
 */
export function sumsOf({ totals }) {
  const requests = totals.filter(({ route }) => route === null)
  return {
    count: requests.reduce((sum, { count }) => sum + count, 0),
    outcomes: Object.fromEntries(
      OUTCOME_STACK.map(name => [
        name,
        requests.reduce((sum, { outcomes }) => sum + (outcomes?.[name] ?? 0), 0),
      ]),
    ),
    codes: addUp(requests.map(({ codes }) => codes)),
    reasons: addUp(requests.map(({ reasons }) => reasons)),
  }
}

/**
 * @param {readonly Readonly<Record<string, number>>[]} all
 * @returns {[name: string, count: number][]} the most frequent first
 */
function addUp(all) {
  /** @type {Record<string, number>} */
  const sums = {}
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count
  }
  return Object.entries(sums).sort(([a, x], [b, y]) => y - x || a.localeCompare(b))
}
