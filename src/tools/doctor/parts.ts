import { existsSync } from 'node:fs'
import type { Finding } from './finding.ts'

/** Mirrors the type in the list of the tests. */
interface Part {
  readonly name: string
  readonly available: boolean
  readonly tests: string
  readonly install: string
}

/** The programs that tests need. Only a checkout has this file. */
const LIST = new URL('../../../test/support/parts.ts', import.meta.url)

/** Lists the missing programs that make tests skip on this machine. */
export async function checkParts(): Promise<readonly Finding[]> {
  if (!existsSync(LIST)) return []
  const { parts } = (await import(LIST.href)) as { readonly parts: readonly Part[] }
  return parts
    .filter(({ available }) => !available)
    .map(({ name, tests, install }) => ({
      level: 'hint',
      part: 'tests',
      message: `${name} is not installed, so some tests are skipped: ${tests}`,
      fix: install,
    }))
}
