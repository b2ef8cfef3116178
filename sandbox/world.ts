import { FaultSwitch } from './faults.ts'
import { RequestLog } from './log.ts'
import type { Seed } from './seed.ts'
import { Store } from './store/store.ts'

/** A request and its answer, as sent over the wire. */
export interface SeenAnswer {
  readonly route: 'rest' | 'graphql'
  readonly method: string
  readonly path: string
  /** The query string, without its question mark. */
  readonly query: string
  readonly request: string
  readonly status: number
  readonly contentType: string
  readonly answer: string
}

/** The state of one sandbox. */
export interface World {
  readonly store: Store
  readonly faults: FaultSwitch
  readonly log: RequestLog
  /** Restores the seed, removes all faults and empties the log. */
  reset: () => void
  /** Called with every answer that no fault changed. */
  readonly onAnswer: (seen: SeenAnswer) => void
}

export function createWorld(
  seed: Seed,
  clock: () => number,
  onAnswer: World['onAnswer'] = () => {},
  tokenLifeMs?: number,
): World {
  const seeded = () => {
    const store = new Store(clock)
    store.apps.tokenLifeMs = tokenLifeMs ?? store.apps.tokenLifeMs
    seed(store)
    return store
  }
  let store = seeded()
  const faults = new FaultSwitch()
  const log = new RequestLog()
  return {
    get store() {
      return store
    },
    faults,
    log,
    onAnswer,
    reset() {
      store = seeded()
      faults.clear()
      log.clear()
    },
  }
}
