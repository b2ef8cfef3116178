/** Named sets of filters: those that on-call people need first, and those that the user saved in this browser. */
import { Store } from '../lib/store.js'
import { keep, recall } from '../lib/stored.js'
import { readFilters, TIMES } from './filters.js'

/** @typedef {{ readonly name: string, readonly query: string }} SavedView */

/** @type {readonly (readonly [name: string, filters: Readonly<Record<string, string>>])[]} */
export const QUICK_VIEWS = [
  ['Failed', { ok: 'false' }],
  ['Fell back', { fell_back: 'true' }],
  ['Retried', { retried: 'true' }],
  ['Slow', { min_duration_ms: '1000' }],
  ['Unknown writes', { write_outcome: 'unknown' }],
  ['Needed approval', { code: 'APPROVAL_REQUIRED' }],
]

const KEY = 'signalbox-views'
const MAX_NAME = 60

export const saved = new Store({ views: readSaved(recall(KEY)) })

/**
 * Saves the filters without the time range, under a name that replaces an equal one.
 * @param {string} name
 * @param {URLSearchParams} filters
 */
export function saveView(name, filters) {
  const wanted = name.trim().slice(0, MAX_NAME)
  if (wanted === '') return
  const query = withoutTimes(filters).toString()
  const others = saved.state.views.filter(view => view.name !== wanted)
  replaceAll([...others, { name: wanted, query }])
}

/** @param {string} name */
export function deleteView(name) {
  replaceAll(saved.state.views.filter(view => view.name !== name))
}

/** @param {readonly SavedView[]} views */
function replaceAll(views) {
  keep(KEY, JSON.stringify(views))
  saved.update({ views })
}

/**
 * The filters after a click on a quick view, which adds its own or takes them away.
 * @param {URLSearchParams} filters
 * @param {Readonly<Record<string, string>>} own
 */
export function toggleView(filters, own) {
  const next = new URLSearchParams(filters)
  const active = isActive(filters, own)
  for (const [name, value] of Object.entries(own)) next.set(name, active ? '' : value)
  return readFilters(next).filters
}

/**
 * @param {URLSearchParams} filters
 * @param {Readonly<Record<string, string>>} own
 */
export function isActive(filters, own) {
  return Object.entries(own).every(([name, value]) => filters.get(name) === value)
}

/**
 * The filters of a saved view, within the time range of the list.
 * @param {URLSearchParams} filters
 * @param {SavedView} view
 */
export function openView(filters, { query }) {
  const next = new URLSearchParams(query)
  for (const name of TIMES) next.set(name, filters.get(name) ?? '')
  return readFilters(next).filters
}

/** @param {URLSearchParams} filters */
export function withoutTimes(filters) {
  return new URLSearchParams([...filters].filter(([name]) => !TIMES.includes(name)))
}

/**
 * Ignores what it does not understand: another version of the page may have written it.
 * @param {string | null} text
 * @returns {readonly SavedView[]}
 */
function readSaved(text) {
  try {
    const views = JSON.parse(text ?? '[]')
    return Array.isArray(views) ? views.filter(isView) : []
  } catch {
    return []
  }
}

/**
 * @param {unknown} view
 * @returns {view is SavedView}
 */
function isView(view) {
  if (typeof view !== 'object' || view === null) return false
  const { name, query } = /** @type {Partial<SavedView>} */ (view)
  return typeof name === 'string' && typeof query === 'string'
}
