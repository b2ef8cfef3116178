import type { Verdict } from '../../http/judge/verdict.ts'
import { LOCAL } from './local.ts'
import { NETWORK } from './network.ts'
import { SERVICE } from './service.ts'

/** Regular expressions, and what a line means in which one of them is found. */
export type Phrases = readonly (readonly [readonly string[], Verdict])[]

/**
 * What is left to wording when neither an exit code nor a status nor a machine code was there. The
 * sentences come from libraries that many tools share: Go's net and cobra, Python's argparse and
 * OpenSSL, libc. They are looked for in masked lines as whole words, and the first entry counts.
 */
const PATTERNS = [...LOCAL, ...NETWORK, ...SERVICE].map(
  ([phrases, meaning]) =>
    [new RegExp(`(?<![\\w-])(?:${phrases.join('|')})(?![\\w-])`, 'i'), meaning] as const,
)

/** What the wording of masked lines says; null when it says nothing that is known. */
export function meaningOfWords(maskedLines: readonly string[]): Verdict | null {
  const match = PATTERNS.find(([pattern]) => maskedLines.some(line => pattern.test(line)))
  return match ? match[1] : null
}
