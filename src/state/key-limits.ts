import type { CallerLimits } from '../model/caller.ts'

/** Leave to make one call. */
export interface Lease {
  /** Call it when the call has ended. */
  release(): void
}

/** A limit of a key that is used up. */
export interface Over {
  readonly limit: 'requests_per_minute' | 'concurrency'
  readonly allowed: number
  /** Milliseconds until another call may be made; for calls at once, a guess. */
  readonly retryAfterMs: number
}

export type Entry = Lease | Over

/** The same limits, counted over several gateways. */
export interface SharedLimits {
  /** @param withinMs the longest that the call may run. Rejects while the store cannot be reached. */
  enter(name: string, limits: CallerLimits, withinMs: number): Promise<Entry>
}

const MINUTE = 60_000
/** Nobody knows when a running call will end. */
const SOON_MS = 1000

/** Identity providers have any number of people. */
const MANY = 10_000

interface OwnLease extends Lease {
  /** Another gateway's count forbids the call, so it is not made. */
  undo(): void
}

interface Use {
  /** Calls left of this minute's allowance, which comes back bit by bit. */
  tokens: number
  /** Monotonic milliseconds at which `tokens` was right. */
  at: number
  running: number
}

/** Counts the calls of each key: those of the last minute (a token bucket), and those that run. */
export class KeyLimits {
  readonly #uses = new Map<string, Use>()
  /** Null for a gateway on its own. */
  otherGateways: SharedLimits | null = null
  /** The workers of this gateway, if they share with other gateways too: theirs is the count while those cannot be reached. */
  ownWorkers: SharedLimits | null = null

  /** Asks the other gateways last: whatever they count, this one has counted no more. */
  async enter(name: string, limits: CallerLimits, now: number, withinMs: number): Promise<Entry> {
    const entry = this.#enterHere(name, limits, now)
    if (this.otherGateways === null || isOver(entry)) return entry
    const shared = await this.otherGateways.enter(name, limits, withinMs).catch(() => null)
    if (shared !== null && isOver(shared)) {
      entry.undo()
      return shared
    }
    const near = this.ownWorkers?.enter(name, limits, withinMs).catch(() => null) ?? null
    // No call waits for the workers' count while the gateways' is there, but it has to be right when that one goes.
    if (shared !== null) return leaseOf(entry, shared, near)
    const counted = await near
    if (counted === null || !isOver(counted)) return leaseOf(entry, counted)
    entry.undo()
    return counted
  }

  #enterHere(name: string, limits: CallerLimits, now: number): OwnLease | Over {
    const { requestsPerMinute, concurrency } = limits
    const use = this.#useOf(name, requestsPerMinute, now)
    if (concurrency !== null && use.running >= concurrency) {
      return { limit: 'concurrency', allowed: concurrency, retryAfterMs: SOON_MS }
    }
    if (requestsPerMinute !== null) {
      if (use.tokens < 1) return overRate(requestsPerMinute, use.tokens)
      use.tokens--
    }
    use.running++
    const release = () => {
      use.running--
    }
    const undo = () => {
      release()
      use.tokens++
    }
    return { release, undo }
  }

  /** A caller that made no call for a minute has the whole allowance again, like a new one. */
  #forgetIdle(now: number): void {
    for (const [name, { at, running }] of this.#uses) {
      if (running === 0 && now - at >= MINUTE) this.#uses.delete(name)
    }
  }

  #useOf(name: string, perMinute: number | null, now: number): Use {
    let use = this.#uses.get(name)
    if (!use) {
      if (this.#uses.size >= MANY) this.#forgetIdle(now)
      use = { tokens: perMinute ?? 0, at: now, running: 0 }
      this.#uses.set(name, use)
    }
    if (perMinute === null) return use
    use.tokens = Math.min(perMinute, use.tokens + ((now - use.at) * perMinute) / MINUTE)
    use.at = now
    return use
  }
}

type Counted = Entry | null

/** Ends with all of them. */
function leaseOf(own: Lease, ...others: readonly (Counted | Promise<Counted>)[]): Lease {
  return {
    release() {
      own.release()
      for (const other of others) void release(other)
    },
  }
}

async function release(counted: Counted | Promise<Counted>): Promise<void> {
  const entry = counted instanceof Promise ? await counted : counted
  if (entry !== null && !isOver(entry)) entry.release()
}

export function isOver(entry: Entry): entry is Over {
  return 'limit' in entry
}

/** @param tokens those left: less than one */
export function overRate(perMinute: number, tokens: number): Over {
  const retryAfterMs = Math.ceil(((1 - tokens) * MINUTE) / perMinute)
  return { limit: 'requests_per_minute', allowed: perMinute, retryAfterMs }
}
