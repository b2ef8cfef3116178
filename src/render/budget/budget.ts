import { createWarning, type Warning } from '../../model/warnings.ts'
import { countTokens } from './estimate.ts'

/** The smallest and the largest budget of a caller. */
export const BUDGET_LIMITS = { min: 100, max: 10_000 } as const

/**
 * Tokens to add to the budget that an answer would have needed, so that the same call fits next time: its times may have
 * more digits then, and it may contain its budget.
 */
export const ROOM_FOR_NUMBERS = 16

/** The size limit of an answer. */
export interface Budget {
  readonly tokens: number
  readonly warnings: readonly Warning[]
}

/**
 * Clamps a budget to the limits, with a warning. HTTP, batch and MCP all use this.
 * @param min the least that the dialect needs to say what is wrong
 */
export function toBudget(asked: number, min: number = BUDGET_LIMITS.min): Budget {
  const { max } = BUDGET_LIMITS
  const tokens = Math.min(max, Math.max(min, Math.floor(asked)))
  if (tokens === asked) return { tokens, warnings: [] }
  const message = `token_budget ${asked} is outside ${min} to ${max}; ${tokens} was used.`
  return { tokens, warnings: [createWarning('BUDGET_CLAMPED', message)] }
}

/** The estimate that answers contain, as the documents of the dialects define it: four characters are one token. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4)
}

/** The budget that a text needs: it covers the tokens that a model counts, and the estimate that the text contains. */
export function neededFor(text: string): number {
  return Math.max(estimateTokens(text), countTokens(text))
}

export function holds({ tokens }: Budget, text: string): boolean {
  // Do not count the tokens of an answer that is far too long.
  return estimateTokens(text) <= tokens && countTokens(text) <= tokens
}
