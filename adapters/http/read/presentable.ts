import { redactText } from '../../../src/lib/redact.ts'

const MAX_MESSAGE = 300

/** Makes a message presentable: one line, of limited length, without secrets. */
export function presentable(message: string, secrets: readonly string[]): string {
  const line = redactText(message, secrets).replace(/\s+/g, ' ').trim()
  if (line.length <= MAX_MESSAGE) return line
  // Don't cut a surrogate pair in half.
  return `${line.slice(0, MAX_MESSAGE - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
