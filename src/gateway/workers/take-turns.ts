import type { Server } from 'node:http'

/** Connections that follow each other faster than this belong together: a client opens its pool. */
const BURST_MS = 1
/** Long enough for another process to wake up, even if it needs the core of this one. */
const PAUSE_MS = 0.5
/** With more connections, chance spreads them well enough, and the pauses would add up. */
const ENOUGH = 64
const WINDOW_MS = 100

const cell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

/**
 * Spreads the connections of a client that opens several at once. The workers have one socket, and a worker that is awake would take all
 * of them before another gets a core. So a worker sleeps for a moment after each one, in which the others take theirs. It sleeps only while
 * its open connections grow in number, and not for clients that open a connection for each call.
 */
export function takeTurns(server: Server): void {
  const open = new OpenConnections()
  let last = 0
  server.on('connection', socket => {
    const isMore = open.add()
    socket.once('close', () => open.remove())
    if (isMore && performance.now() - last < BURST_MS) Atomics.wait(cell, 0, 0, PAUSE_MS)
    last = performance.now()
  })
}

/** Counts open connections, and remembers the most for a while. */
class OpenConnections {
  #now = 0
  #most = 0
  #mostBefore = 0
  #windowEnd = 0

  /** @returns whether so few are open, and yet more than for a while */
  add(): boolean {
    this.#turn()
    this.#now++
    const isMore = this.#now > Math.max(this.#most, this.#mostBefore)
    this.#most = Math.max(this.#most, this.#now)
    return isMore && this.#now <= ENOUGH
  }

  remove(): void {
    this.#turn()
    this.#now--
  }

  #turn(): void {
    const now = performance.now()
    if (now < this.#windowEnd) return
    this.#mostBefore = now < this.#windowEnd + WINDOW_MS ? this.#most : this.#now
    this.#most = this.#now
    this.#windowEnd = now + WINDOW_MS
  }
}
