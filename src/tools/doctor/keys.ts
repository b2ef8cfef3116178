import { checkAccess, checkCredentials, findUnmatched } from '../../access/check-rights.ts'
import type { LoadResult } from '../../cards/load.ts'
import type { Settings } from '../../gateway/config.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const PART = 'keys'

/** Checks whether keys and roles can be used, and whether they name things that exist. */
export function checkKeys(
  settings: Pick<Settings, 'keys' | 'oidc'>,
  { cards, upstreams }: LoadResult,
): readonly Finding[] {
  const { keys, oidc } = settings
  if (keys.length + oidc.length === 0) return []
  const faults = [...checkAccess(settings), ...checkCredentials(settings, { upstreams })]
  const unmatched = findUnmatched(settings, { cards: cards.values() })
  const found = [
    ...faults.map(({ message, fix }) => fail(PART, message, fix)),
    ...unmatched.map(({ message, fix }) => warn(PART, message, fix)),
  ]
  return found.length > 0 ? found : [ok(PART, 'all that keys and roles name is there')]
}
