import { FaultSwitch } from './faults.ts'
import { RequestLog } from './log.ts'
import type { Seed } from './seed.ts'
import { Store } from './store/store.ts'

/** A request and its answer, as they went over the wire. */
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

/** All that one sandbox remembers. Everything that answers a request reads it from here. */
export interface World {
  readonly store: Store
  readonly faults: FaultSwitch
  readonly log: RequestLog
  /** Back to the seed, with no faults and an empty log. */
  reset: () => void
  /** Told of every answer that GitHub itself, and no fault, gives. */
  readonly onAnswer: (seen: SeenAnswer) => void
}

export function createWorld(
  seed: Seed,
  clock: () => number,
  onAnswer: World['onAnswer'] = () => {},
): World {
  const seeded = () => {
    const store = new Store(clock)
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
