import type { Card } from './card.ts'
import { CARD_PATTERN, type CardPattern, matchesCard, parseCardPattern } from './card-pattern.ts'

/** The tools that a client of the Model Context Protocol gets, and the capabilities behind them. */
export interface ToolSelection {
  /** `search`: a few tools that find and call capabilities. `list`: a tool for each capability. */
  readonly way: 'search' | 'list'
  /** Null: all that `exclude` does not name. */
  readonly include: readonly CardPattern[] | null
  readonly exclude: readonly CardPattern[]
}

/** `search`, `all`, a pattern, or an excluded one: `repo.*`, `read:pr.*`, `-pr.merge`. */
export const TOOL_WORD = `^(?:search|all|-?(?:${CARD_PATTERN.slice(1, -1)}))$`

/** The choice of a client that makes none. */
export const SEARCH: ToolSelection = { way: 'search', include: null, exclude: [] }

/** @param words each matches `TOOL_WORD`; `search` may stand beside patterns */
export function parseToolSelection(words: readonly string[]): ToolSelection {
  const patterns = words.filter(word => word !== 'search' && word !== 'all')
  const [exclude, include] = [true, false].map(excluded =>
    patterns.filter(word => word.startsWith('-') === excluded),
  ) as [string[], string[]]
  return {
    way: words.includes('search') ? 'search' : 'list',
    include: include.length === 0 || words.includes('all') ? null : include.map(parseCardPattern),
    exclude: exclude.map(word => parseCardPattern(word.slice(1))),
  }
}

/** An exclusion wins. */
export function isSelected(
  { include, exclude }: ToolSelection,
  card: Pick<Card, 'id' | 'effect' | 'destructive'>,
): boolean {
  if (exclude.some(pattern => matchesCard(pattern, card))) return false
  return include === null || include.some(pattern => matchesCard(pattern, card))
}
