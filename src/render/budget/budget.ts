import { createWarning, type Warning } from '../../model/warnings.ts'

/** The smallest and the largest budget of a caller. */
export const BUDGET_LIMITS = { min: 100, max: 10_000 } as const

/** The size limit of an answer. */
export interface Budget {
  readonly tokens: number
  readonly warnings: readonly Warning[]
}

/** Clamps a budget to the limits, with a warning. HTTP, batch and MCP all use this. */
export function toBudget(asked: number): Budget {
  const { min, max } = BUDGET_LIMITS
  const tokens = Math.min(max, Math.max(min, Math.floor(asked)))
  if (tokens === asked) return { tokens, warnings: [] }
  const message = `token_budget ${asked} is outside ${min} to ${max}; ${tokens} was used.`
  return { tokens, warnings: [createWarning('BUDGET_CLAMPED', message)] }
}

/** The estimate that answers contain: four characters are one token. Coarse on purpose. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4)
}

/**
 * Whether an answer fits its budget. Counts bytes: they are never fewer than the characters, and estimate tokens
 * better for scripts with several bytes per character.
 */
export function holds({ tokens }: Budget, text: string): boolean {
  return text.length <= tokens * 4 && Buffer.byteLength(text) <= tokens * 4
}
