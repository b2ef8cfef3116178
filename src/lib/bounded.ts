import { isRawNumber } from './exact-json.ts'
import { shorten } from './text.ts'

const MAX_TEXT = 500
const MAX_NAME = 200
const MAX_ITEMS = 20
const MAX_DEPTH = 4
/** Characters of all texts and names together. */
const MAX_TOTAL = 4000

/** Copies details of an error, which may quote an upstream or a caller at any length, in a bounded size. */
export function boundedDetails(
  details: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const budget = { left: MAX_TOTAL }
  return members(details, budget, 0)
}

interface Budget {
  left: number
}

function bounded(value: unknown, budget: Budget, depth: number): unknown {
  if (typeof value === 'string') return spend(value, MAX_TEXT, budget)
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value
  if (depth >= MAX_DEPTH) return null
  if (!Array.isArray(value)) return members(value, budget, depth + 1)
  const items: unknown[] = []
  for (const item of value.slice(0, MAX_ITEMS)) {
    if (budget.left <= 0) break
    items.push(bounded(item, budget, depth + 1))
  }
  return items
}

function members(value: object, budget: Budget, depth: number): Record<string, unknown> {
  const copy: [string, unknown][] = []
  for (const [name, member] of Object.entries(value)) {
    if (copy.length >= MAX_ITEMS || budget.left <= 0) break
    copy.push([spend(name, MAX_NAME, budget), bounded(member, budget, depth)])
  }
  return Object.fromEntries(copy)
}

function spend(text: string, most: number, budget: Budget): string {
  const short = shorten(text, Math.max(1, Math.min(most, budget.left)))
  budget.left -= short.length
  return short
}
