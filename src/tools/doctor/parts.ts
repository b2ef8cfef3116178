import { existsSync } from 'node:fs'
import type { Finding } from './finding.ts'

/** As the tests know it. */
interface Part {
  readonly name: string
  readonly available: boolean
  readonly tests: string
  readonly install: string
}

/** Only a checkout has tests; that is where their needs are listed. */
const LIST = new URL('../../../test/support/parts.ts', import.meta.url)

/** What some tests are skipped for on this machine. */
export async function checkParts(): Promise<readonly Finding[]> {
  if (!existsSync(LIST)) return []
  const { parts } = (await import(LIST.href)) as { readonly parts: readonly Part[] }
  return parts
    .filter(({ available }) => !available)
    .map(({ name, tests, install }) => ({
      level: 'hint',
      part: 'tests',
      message: `${name} is not here, so these are skipped: ${tests}`,
      fix: install,
    }))
}
