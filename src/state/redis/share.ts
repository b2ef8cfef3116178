import type { KeptAnswers } from '../answers.ts'
import type { KeyLimits } from '../key-limits.ts'
import type { RecentWrites } from '../recent-writes.ts'
import type { Revalidation } from '../revalidation.ts'
import { RedisAnswers } from './answers.ts'
import type { Board } from './board.ts'
import { RedisKeyLimits } from './key-limits.ts'
import { SharedReplies } from './replies.ts'
import type { SharedStore } from './store.ts'
import { type BoardState, shareByBoard } from './topics.ts'
import { SharedWrites } from './writes.ts'

/** The state of one process, of which it shares parts. */
export interface OwnState extends BoardState {
  readonly revalidation: Revalidation
  readonly recentWrites: RecentWrites
  readonly keyLimits: KeyLimits
  readonly keptAnswers: KeptAnswers
}

/**
 * Shares quotas, circuits, kept replies and answers, recent writes and limits of keys through a store.
 * @param me a name that only this process has
 */
export function shareThrough(store: SharedStore, me: string, state: OwnState): Board {
  const board = shareByBoard(store, me, state)
  state.revalidation.otherGateways = new SharedReplies(store)
  state.recentWrites.otherGateways = new SharedWrites(store, me)
  state.keptAnswers.otherGateways = new RedisAnswers(store, state.keptAnswers.maxBytes)
  state.keyLimits.otherGateways = new RedisKeyLimits(store)
  return board
}
