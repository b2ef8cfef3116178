import { redactText } from '../../src/redact.ts'

const MAX_MESSAGE = 300

/**
 * Empties quotations. Names, titles and branches that people chose stand in quotes in an upstream's
 * messages, and may hold any keyword: `a label named "rate limit" exists` is about no limit.
 */
export function withoutQuotations(message: string): string {
  return (
    message
      .replace(/"[^"]*"/g, '""')
      .replace(/`[^`]*`/g, '``')
      .replace(/[“«][^”»]*[”»]/g, '""')
      // An apostrophe inside a word (can't) neither opens nor closes a quotation.
      .replace(/(?<!\w)'(?:[^']|(?<=\w)'(?=\w))*'(?!\w)/g, "''")
  )
}

/** A message fit to be shown: one line, of bearable length, without secrets. */
export function presentable(message: string, secrets: readonly string[]): string {
  const line = redactText(message, secrets).replace(/\s+/g, ' ').trim()
  if (line.length <= MAX_MESSAGE) return line
  const points = [...line.slice(0, MAX_MESSAGE * 2)]
  return points.length <= MAX_MESSAGE ? line : `${points.slice(0, MAX_MESSAGE - 1).join('')}…`
}
