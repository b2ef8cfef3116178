import { mayCall } from '../access/permission.ts'
import type { Caller } from '../model/caller.ts'
import type { Card } from '../model/card.ts'
import { COMMAND_DOOR } from '../model/door.ts'
import { PROFILE_NAMES } from '../model/profile-name.ts'
import { PLAIN, type Presentation } from '../render/render.ts'

interface Wishes {
  readonly profile?: string
  readonly tokenBudget?: number
}

/** How a command writes its answers. One that asks for an unknown dialect is refused in the default one. */
export function presentationOf(caller: Caller, { profile, tokenBudget }: Wishes): Presentation {
  const wanted = profile ?? caller.profile
  return {
    ...PLAIN,
    profile: PROFILE_NAMES.find(name => name === wanted) ?? PLAIN.profile,
    tokenBudget: tokenBudget ?? null,
    door: COMMAND_DOOR,
    mayCall: (card: Card) => mayCall(caller, card),
  }
}
