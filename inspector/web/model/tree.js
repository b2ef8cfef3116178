/** Finds texts in a value, and compares two values, by the paths of their members. */
import { isRawNumber } from '../lib/exact-json.js'

/**
 * @typedef {object} Leaf
 * @property {string} path such as `items[0].title`; empty for the value itself
 * @property {string} text
 */

/** More are not shown: nobody reads on, and each costs a row. */
const MOST_LEAVES = 5000

/**
 * The members that hold no further members, in order.
 * @param {unknown} value
 * @returns {Leaf[]}
 */
export function leavesOf(value) {
  /** @type {Leaf[]} */
  const leaves = []
  /** @type {{ path: string, value: unknown }[]} */
  const open = [{ path: '', value }]
  for (let next = open.pop(); next && leaves.length < MOST_LEAVES; next = open.pop()) {
    const members = membersOf(next.value)
    if (members.length === 0)
      leaves.push({ path: next.path, text: JSON.stringify(next.value) ?? 'null' })
    for (const [name, member] of members.toReversed()) {
      open.push({ path: join(next.path, name), value: member })
    }
  }
  return leaves
}

/**
 * @param {unknown} value
 * @returns {[string | number, unknown][]}
 */
function membersOf(value) {
  if (isRawNumber(value)) return []
  if (Array.isArray(value)) return value.map((item, at) => [at, item])
  return value !== null && typeof value === 'object' ? Object.entries(value) : []
}

/**
 * @param {string} path
 * @param {string | number} name
 */
function join(path, name) {
  if (typeof name === 'number') return `${path}[${name}]`
  return path === '' ? name : `${path}.${name}`
}

/**
 * The leaves whose path or text has the words, in any case.
 * @param {readonly Leaf[]} leaves
 * @param {string} words
 */
export function findLeaves(leaves, words) {
  const wanted = words.toLowerCase()
  return leaves.filter(({ path, text }) => `${path}\n${text}`.toLowerCase().includes(wanted))
}

/**
 * The places at which two values differ, in the order of the first.
 * @param {unknown} one
 * @param {unknown} other
 * @returns {{ path: string, a: string | null, b: string | null }[]} null where a value has no such member
 */
export function differencesOf(one, other) {
  const [a, b] = [placesOf(one), placesOf(other)]
  return [...new Set([...a.keys(), ...b.keys()])]
    .map(path => ({ path, a: a.get(path) ?? null, b: b.get(path) ?? null }))
    .filter(place => place.a !== place.b)
}

/**
 * @param {unknown} value null for what a request does not have: it has no place to differ at
 * @returns {Map<string, string>}
 */
function placesOf(value) {
  return new Map(value === null ? [] : leavesOf(value).map(({ path, text }) => [path, text]))
}
