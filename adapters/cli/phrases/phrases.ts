import type { Verdict } from '../../failures/verdict.ts'
import { LOCAL } from './local.ts'
import { NETWORK } from './network.ts'
import { SERVICE } from './service.ts'

/** Regular expressions with the meaning of a line that contains one of them. */
export type Phrases = readonly (readonly [readonly string[], Verdict])[]

/**
 * Classifies by wording, for runs without a known exit code, status or machine code. The phrases come
 * from libraries that many tools share: Go's net and cobra, Python's argparse and OpenSSL, libc. They
 * match whole words in masked lines, and the first entry counts.
 */
export const PATTERNS = [...LOCAL, ...NETWORK, ...SERVICE].map(
  ([phrases, meaning]) =>
    [new RegExp(`(?<![\\w-])(?:${phrases.join('|')})(?![\\w-])`, 'i'), meaning] as const,
)

/** The meaning of masked lines; null if they contain no known phrase. */
export function meaningOfLines(maskedLines: readonly string[]): Verdict | null {
  const match = PATTERNS.find(([pattern]) => maskedLines.some(line => pattern.test(line)))
  return match ? match[1] : null
}
