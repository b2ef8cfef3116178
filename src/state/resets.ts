import { ulid } from 'ulid'
import type { Forgotten, ResetPart } from '../model/reset.ts'
import type { Breakers } from './breakers.ts'
import type { Pools } from './pools.ts'
import type { RetryBudget } from './retry-budget.ts'

/** One part of one upstream was reset. */
interface Reset {
  /** Tells this reset from earlier ones, whatever the clocks of gateways say. */
  readonly id: string
  /** Epoch milliseconds. */
  readonly at: number
}

export interface LearnedState {
  readonly pools: Pools
  readonly breakers: Breakers
  readonly retryBudget: RetryBudget
}

/**
 * Makes the gateway forget what it has learned of an upstream's quotas and failures, so that the next call asks the
 * upstream again. `circuit` also fills the retry budget, which the same failures have spent.
 */
export class Resets {
  readonly #learned: LearnedState
  readonly #last = new Map<string, Reset>()
  /** Called with the name of each reset that was made here, see `resetName`. */
  onReset: ((name: string) => void) | null = null

  constructor(learned: LearnedState) {
    this.#learned = learned
  }

  make(upstream: string, parts: readonly ResetPart[], now: number): Forgotten {
    const forgotten = parts.map(part => {
      const dropped = this.#drop(upstream, part)
      const name = resetName(upstream, part)
      this.#last.set(name, { id: ulid(now), at: now })
      this.onReset?.(name)
      return dropped
    })
    return {
      quotas: forgotten.flatMap(({ quotas }) => quotas),
      circuits: forgotten.flatMap(({ circuits }) => circuits),
    }
  }

  /** Takes over a reset that another gateway has made. */
  adopt(name: string, reset: Reset): void {
    if (this.#last.get(name)?.id === reset.id) return
    this.#last.set(name, reset)
    const at = name.lastIndexOf(' ')
    this.#drop(name.slice(0, at), name.slice(at + 1) as ResetPart)
  }

  lastOf(name: string): Reset | undefined {
    return this.#last.get(name)
  }

  names(): Iterable<string> {
    return this.#last.keys()
  }

  #drop(upstream: string, part: ResetPart): Forgotten {
    const { pools, breakers, retryBudget } = this.#learned
    if (part === 'quota') return { quotas: pools.forgetAll(upstream), circuits: [] }
    retryBudget.refill(upstream)
    return { quotas: [], circuits: breakers.closeAll(upstream) }
  }
}

/** Upstreams have no spaces in their ids. */
function resetName(upstream: string, part: ResetPart): string {
  return `${upstream} ${part}`
}
