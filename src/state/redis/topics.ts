import type { BreakerState, Breakers } from '../breakers.ts'
import { exhaustedUntil, type PoolState, type Pools, poolKey } from '../pools.ts'
import type { Resets } from '../resets.ts'
import { Board, type Topic } from './board.ts'
import { createProbeLease } from './probe-lease.ts'
import type { SharedStore } from './store.ts'

/** A quota without a reset time is meaningless after this long. */
const POOL_KEPT_MS = 60 * 60 * 1000
/** How long a circuit stays posted after its wait, if no gateway probes it. */
const CIRCUIT_KEPT_MS = 10 * 60 * 1000
/** How long a gateway can be away without missing a reset. */
const RESET_KEPT_MS = 60 * 60 * 1000

/** State that gateways share through the board. */
export interface BoardState {
  readonly pools: Pools
  readonly breakers: Breakers
  readonly resets: Resets
}

/** Shares quotas and circuits among all gateways of a Redis. Each gateway decides by its own copy, without asking. */
export function shareByBoard(
  redis: SharedStore,
  me: string,
  { pools, breakers, resets }: BoardState,
): Board {
  const board: Board = new Board(redis, me, {
    // First, because a gateway that was away must not forget the states that were found after the reset.
    reset: resetTopic(resets),
    pool: poolTopic(pools, name => board.changed('pool', name, false)),
    circuit: circuitTopic(breakers),
  })
  pools.onChange = state => {
    board.changed(
      'pool',
      poolKey(state.pool, state.credential),
      exhaustedUntil(state, Date.now()) !== null,
    )
  }
  pools.onForget = key => board.changed('pool', key, false)
  resets.onReset = name => board.changed('reset', name, true)
  breakers.onChange = key => board.changed('circuit', key, true)
  breakers.lease = createProbeLease(redis, me)
  return board
}

/** @param postAgain posts this gateway's state once more. */
function poolTopic(pools: Pools, postAgain: (name: string) => void): Topic {
  const endOf = ({ resetAt }: PoolState) => resetAt ?? Date.now() + POOL_KEPT_MS
  return {
    read(name) {
      const state = pools.stateAt(name)
      return state ? { value: JSON.stringify(state), endsAt: endOf(state) } : null
    },
    *names() {
      const now = Date.now()
      for (const state of pools.all())
        if (endOf(state) > now) yield poolKey(state.pool, state.credential)
    },
    receive(name, value, older) {
      const before = pools.stateAt(name)
      if (value === null) {
        if (!older) pools.forget(name)
        return
      }
      // This gateway has forgotten the quota, and has not posted that yet.
      if (older && before === undefined) return
      pools.adopt(JSON.parse(value) as PoolState, Date.now())
      // Two posts have crossed, and the board may have kept the older one.
      if (older && pools.stateAt(name) !== before) postAgain(name)
    },
  }
}

function resetTopic(resets: Resets): Topic {
  return {
    read(name) {
      const reset = resets.lastOf(name)
      return reset ? { value: JSON.stringify(reset), endsAt: reset.at + RESET_KEPT_MS } : null
    },
    *names() {
      const now = Date.now()
      for (const name of resets.names())
        if ((resets.lastOf(name)?.at ?? 0) + RESET_KEPT_MS > now) yield name
    },
    receive(name, value) {
      if (value !== null) resets.adopt(name, JSON.parse(value) as { id: string; at: number })
    },
  }
}

function circuitTopic(breakers: Breakers): Topic {
  return {
    read(name) {
      const state = breakers.stateOf(name)
      if (!state || state.kind === 'closed') return null
      const until = state.kind === 'open' ? state.until : state.leaseUntil
      return { value: JSON.stringify(state), endsAt: until + CIRCUIT_KEPT_MS }
    },
    names: () => breakers.unsettled(),
    receive(name, value, older) {
      if (!older) breakers.adopt(name, value === null ? null : (JSON.parse(value) as BreakerState))
    },
  }
}
