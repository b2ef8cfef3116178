/** The rows of the list in their order: newest first, each request once. */

/** @typedef {import('../../../src/journal/row-schemas.ts').RequestRow} RequestRow */

/**
 * Merges new rows into a list. The stream reports requests in the order in which they end, so a row may belong between
 * older ones. A list may have 100,000 rows, and rows arrive many times a second: compare only down to the place of the
 * last new one.
 * @param {readonly RequestRow[]} rows
 * @param {readonly RequestRow[]} more in any order
 * @param {ReadonlySet<string>} known the ids of the list
 * @returns {readonly RequestRow[]} the list itself if nothing is new
 */
export function mergeRows(rows, more, known) {
  const added = newOnes(more, known)
  if (added.length === 0) return rows
  const last = rows.at(-1)
  const first = added[0]
  if (last === undefined || (first !== undefined && compare(last, first) < 0)) {
    return [...rows, ...added]
  }
  /** @type {RequestRow[]} */
  const merged = []
  let at = 0
  for (const row of added) {
    for (; at < rows.length; at++) {
      const other = /** @type {RequestRow} */ (rows[at])
      if (compare(other, row) > 0) break
      merged.push(other)
    }
    merged.push(row)
  }
  return merged.concat(rows.slice(at))
}

/**
 * @param {readonly RequestRow[]} more
 * @param {ReadonlySet<string>} known
 */
function newOnes(more, known) {
  const added = new Map(more.map(row => [row.request_id, row]))
  return [...added.values()].filter(row => !known.has(row.request_id)).sort(compare)
}

/**
 * Times have one width, so that texts compare as times do.
 * @param {RequestRow} a
 * @param {RequestRow} b
 */
function compare(a, b) {
  if (a.time !== b.time) return a.time < b.time ? 1 : -1
  if (a.request_id === b.request_id) return 0
  return a.request_id < b.request_id ? 1 : -1
}
