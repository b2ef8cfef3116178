/** Groups statistics for the plots: by capability, then by route, then by time. */
import { ROUTES } from '../lib/words.js'

/**
 * @typedef {import('../../../src/journal/row-schemas.ts').Stats} Stats
 * @typedef {import('../../../src/journal/row-schemas.ts').StatsRow} StatsRow
 * @typedef {import('../../../src/journal/row-schemas.ts').StatsTotal} StatsTotal
 */

/**
 * @typedef {object} Series
 * @property {string | null} route null for the requests as callers saw them
 * @property {string | null} purpose `verify` for the reads that verified writes
 * @property {StatsTotal} total
 * @property {readonly StatsRow[]} points
 */

/**
 * @typedef {object} CapabilitySeries
 * @property {string | null} capability null for requests that named no known capability
 * @property {readonly Series[]} series requests first, then routes
 * @property {Axis} axis
 */

/** @typedef {{ readonly since: number, readonly until: number, readonly bucketMs: number }} Axis */

/**
 * @param {Stats} stats
 * @returns {CapabilitySeries[]} busiest capability first
 */
export function seriesOf({ since, until, bucket_ms, totals, buckets }) {
  const axis = { since: Date.parse(since), until: Date.parse(until), bucketMs: bucket_ms }
  const points = Map.groupBy(buckets, keyOf)
  const byCapability = Map.groupBy(totals, total => total.capability_id)
  return [...byCapability]
    .map(([capability, rows]) => ({
      capability,
      axis,
      series: rows
        .map(total => ({
          route: total.route,
          purpose: total.purpose,
          total,
          points: points.get(keyOf(total)) ?? [],
        }))
        .sort((a, b) => orderOf(a) - orderOf(b)),
    }))
    .sort((a, b) => callsOf(b) - callsOf(a))
}

/** @param {StatsRow} row */
function keyOf({ capability_id, route, purpose }) {
  return `${capability_id} ${route} ${purpose}`
}

/**
 * Calls before reads that verified writes.
 * @param {Pick<Series, 'route' | 'purpose'>} series
 */
function orderOf({ route, purpose }) {
  const index = ROUTES.findIndex(name => name === route)
  return purpose === null ? index : index + ROUTES.length
}

/** @param {CapabilitySeries} capability */
function callsOf({ series }) {
  return Math.max(...series.map(({ total }) => total.count))
}
