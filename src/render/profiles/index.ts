import { GatewayError } from '../../model/errors.ts'
import { PROFILE_NAMES, type ProfileName } from '../../model/profile-name.ts'
import { BUDGET_LIMITS } from '../budget/budget.ts'
import { brief } from './brief.ts'
import { budgeted } from './budgeted.ts'
import { codegraph } from './codegraph.ts'
import { compact } from './compact.ts'
import { defaultProfile } from './default.ts'
import { dotbot } from './dotbot.ts'
import { ghx } from './ghx.ts'
import { problem } from './problem.ts'
import type { Profile } from './profile.ts'

/** The dialects, by name. */
export const PROFILES = {
  default: defaultProfile,
  brief,
  ghx,
  compact,
  codegraph,
  dotbot,
  budgeted,
  problem,
} as const satisfies Record<ProfileName, Profile>

/** @throws {GatewayError} VALIDATION when no profile has this name. */
export function findProfile(name: string): ProfileName {
  const known = PROFILE_NAMES.find(profile => profile === name)
  if (known) return known
  const message = `There is no profile "${name.slice(0, 100)}". Use one of ${PROFILE_NAMES.join(', ')}.`
  throw new GatewayError('VALIDATION', message, {
    source: 'caller',
    details: { fields: [{ path: 'profile', message: 'is not a known profile' }] },
  })
}

/** The smallest token budget of a dialect. */
export function leastBudgetOf(name: ProfileName): number {
  const { leastBudget = BUDGET_LIMITS.min }: Profile = PROFILES[name]
  return leastBudget
}
