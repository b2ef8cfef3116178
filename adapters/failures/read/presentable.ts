import { redactText } from '../../../src/lib/redact.ts'

const MAX_MESSAGE = 300
/** How much of a message is worth a look. */
const MAX_LENGTH = 4000

/** Makes a message presentable: one line, of limited length, without secrets. */
export function presentable(message: string, secrets: readonly string[]): string {
  const line = redactText(beginning(message), secrets).replace(/\s+/g, ' ').trim()
  if (line.length <= MAX_MESSAGE) return line
  // Don't cut a surrogate pair in half.
  return `${line.slice(0, MAX_MESSAGE - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Cuts a long message at a space: half a secret would not look like one. */
function beginning(message: string): string {
  if (message.length <= MAX_LENGTH) return message
  const start = message.slice(0, MAX_LENGTH)
  const space = start.lastIndexOf(' ')
  return space === -1 ? '…' : `${start.slice(0, space)} …`
}
