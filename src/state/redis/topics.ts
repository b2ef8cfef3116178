import type { BreakerState, Breakers } from '../breakers.ts'
import { exhaustedUntil, type PoolState, type Pools, poolKey } from '../pools.ts'
import { Board, type Topic } from './board.ts'
import { createProbeLease } from './probe-lease.ts'
import type { Redis } from './redis.ts'

/** A quota without a reset time is meaningless after this long. */
const POOL_KEPT_MS = 60 * 60 * 1000
/** How long a circuit stays posted after its wait, if no gateway probes it. */
const CIRCUIT_KEPT_MS = 10 * 60 * 1000

/** State that gateways share through the board. */
export interface BoardState {
  readonly pools: Pools
  readonly breakers: Breakers
}

/** Shares quotas and circuits among all gateways of a Redis. Each gateway decides by its own copy, without asking. */
export function shareByBoard(redis: Redis, me: string, { pools, breakers }: BoardState): Board {
  const board: Board = new Board(redis, me, {
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
      if (value === null) return
      const before = pools.stateAt(name)
      pools.adopt(JSON.parse(value) as PoolState, Date.now())
      // Two posts have crossed, and the board may have kept the older one.
      if (older && pools.stateAt(name) !== before) postAgain(name)
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
