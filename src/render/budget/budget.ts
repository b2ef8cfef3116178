import { createWarning, type Warning } from '../../model/warnings.ts'

/** The least and the most that a caller can ask for. */
export const BUDGET_LIMITS = { min: 100, max: 10_000 } as const

/** How many tokens an answer may take. */
export interface Budget {
  readonly tokens: number
  readonly warnings: readonly Warning[]
}

/** One rule at every door: outside the limits the nearest limit counts, and the answer says so. */
export function toBudget(asked: number): Budget {
  const { min, max } = BUDGET_LIMITS
  const tokens = Math.min(max, Math.max(min, Math.floor(asked)))
  if (tokens === asked) return { tokens, warnings: [] }
  const message = `token_budget ${asked} is outside ${min} to ${max}; ${tokens} was used.`
  return { tokens, warnings: [createWarning('BUDGET_CLAMPED', message)] }
}

/** The estimate that answers tell: four characters make a token. Coarse on purpose. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4)
}

/**
 * Whether an answer holds its budget. Counted in bytes: that is what is sent, it is never less than
 * the characters, and it is nearer to the truth for writing that takes several bytes a character.
 */
export function holds({ tokens }: Budget, text: string): boolean {
  return text.length <= tokens * 4 && Buffer.byteLength(text) <= tokens * 4
}
