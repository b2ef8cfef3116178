import { FaultSwitch } from './faults.ts'
import { RequestLog } from './log.ts'
import type { Seed } from './seed.ts'
import { Store } from './store/store.ts'

/** All that one sandbox remembers. Everything that answers a request reads it from here. */
export interface World {
  readonly store: Store
  readonly faults: FaultSwitch
  readonly log: RequestLog
  /** Back to the seed, with no faults and an empty log. */
  reset: () => void
}

export function createWorld(seed: Seed, clock: () => number): World {
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
    reset() {
      store = seeded()
      faults.clear()
      log.clear()
    },
  }
}
