import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { roundMs } from '../../src/lib/round-ms.ts'
import type { Signal } from '../../src/lib/signal.ts'
import { killOrphans } from './orphans.ts'
import {
  type AbortReason,
  abortedBeforeStart,
  abortReasonOf,
  type ProcessResult,
  type ProcessRunner,
  type ProcessSpec,
  type Run,
  unstarted,
} from './process-runner.ts'
import { signalGroup, spawnErrorOf } from './run-process.ts'
import type { HelperEvent, HelperRequest } from './spawn-protocol.ts'

/** The file beside this one, with the same extension: compiled if this file is. */
const SERVER = import.meta.url.replace(/spawn-client(\.\w+)$/, 'spawn-server$1')
const HEAP_MB = 64

/**
 * Starts programs through a small helper process, so that starting one does not block this process or
 * get slower as its memory grows. The first run starts the helper; the next run restarts a dead one.
 */
export function createHelperRunner(): ProcessRunner {
  let helper: Helper | null = null
  let isRetired = false
  const starts = { count: 0, ms: 0 }
  const onStart = (ms: number) => {
    starts.count++
    starts.ms += ms
  }
  return {
    run(spec, signal) {
      if (signal.aborted) {
        return { result: Promise.resolve(abortedBeforeStart(signal)), gone: Promise.resolve() }
      }
      if (!helper?.usable) helper = new Helper(onStart)
      if (isRetired) helper.endWhenIdle()
      return helper.run(spec, signal)
    },
    retire() {
      isRetired = true
      helper?.endWhenIdle()
    },
    starts: () => ({ started: starts.count, starting_ms: roundMs(starts.ms) }),
    async close() {
      await helper?.close()
      helper = null
    },
  }
}

class Helper {
  readonly #child: ChildProcess
  readonly #runs = new Map<number, RemoteRun>()
  readonly #ended: Promise<void>
  readonly #onStart: (ms: number) => void
  #lastId = 0
  #endsWhenIdle = false

  constructor(onStart: (ms: number) => void) {
    this.#onStart = onStart
    this.#child = startServer()
    this.#child.on('message', (event: HelperEvent) => this.#receive(event))
    this.#ended = new Promise(resolve => {
      const end = (result: ProcessResult) => {
        const unreported = [...this.#runs.values()].filter(run => !run.abandon(result))
        for (const home of new Set(unreported.map(run => run.home))) killOrphans(home)
        this.#runs.clear()
        resolve()
      }
      this.#child.once('exit', () => end({ ...KILLED, signal: 'SIGKILL' }))
      this.#child.on('error', error => {
        if (this.#child.pid === undefined) end(unstarted(spawnErrorOf(error)))
      })
    })
    this.#keepAlive(false)
  }

  get usable(): boolean {
    return this.#child.connected
  }

  run(spec: ProcessSpec, signal: Signal): Run {
    const id = ++this.#lastId
    const run = new RemoteRun(spec.env.HOME ?? '', signal, why =>
      this.#send({ kind: 'abort', id, why }),
    )
    this.#runs.set(id, run)
    this.#keepAlive(true)
    this.#send({ kind: 'run', id, spec })
    return run
  }

  /** Each reload replaces the helper, and an old one holds as much memory as the new one. */
  endWhenIdle(): void {
    this.#endsWhenIdle = true
    // A run that is about to begin comes first.
    setImmediate(() => {
      if (this.#runs.size === 0) this.#rest()
    })
  }

  #rest(): void {
    this.#keepAlive(false)
    if (this.#endsWhenIdle) void this.close()
  }

  /** Disconnecting makes the helper kill its programs and exit. */
  async close(): Promise<void> {
    if (!this.#child.connected) return this.#ended
    this.#child.ref()
    for (const run of this.#runs.values()) run.abort('cancelled')
    this.#child.disconnect()
    await this.#ended
  }

  #send(request: HelperRequest): void {
    // The exit listener handles a dead helper.
    if (this.#child.connected) this.#child.send(request, () => {})
  }

  #receive(event: HelperEvent): void {
    const run = this.#runs.get(event.id)
    switch (event.kind) {
      case 'started':
        if (run) this.#onStart(run.started(event.pid))
        return
      case 'result':
        return run?.settle(event.result)
      case 'gone':
        this.#runs.delete(event.id)
        if (this.#runs.size === 0) this.#rest()
        return run?.end()
    }
  }

  /** Runs keep the gateway's event loop alive; an idle helper does not. */
  #keepAlive(needed: boolean): void {
    const { channel } = this.#child
    if (needed) {
      this.#child.ref()
      channel?.ref()
    } else {
      this.#child.unref()
      channel?.unref()
    }
  }
}

/** A run in the helper process, which reports it by messages. */
class RemoteRun implements Run {
  readonly #result = Promise.withResolvers<ProcessResult>()
  readonly #gone = Promise.withResolvers<void>()
  readonly #signal: Signal
  readonly #sendAbort: (why: AbortReason) => void
  readonly #askedAt = performance.now()
  #pid: number | null = null

  readonly home: string
  readonly result = this.#result.promise
  readonly gone = this.#gone.promise

  constructor(home: string, signal: Signal, sendAbort: (why: AbortReason) => void) {
    this.home = home
    this.#signal = signal
    this.#sendAbort = sendAbort
    signal.addEventListener('abort', this.#onAbort)
  }

  /** @returns milliseconds that the start took */
  started(pid: number): number {
    this.#pid = pid
    return performance.now() - this.#askedAt
  }

  /** Settles immediately, while the helper still kills the program. */
  abort(killedBy: AbortReason): void {
    this.#sendAbort(killedBy)
    this.settle({ ...KILLED, killedBy })
  }

  settle(result: ProcessResult): void {
    this.#signal.removeEventListener('abort', this.#onAbort)
    this.#result.resolve(result)
  }

  end(): void {
    this.#gone.resolve()
  }

  /** Kills the program of a dead helper. Returns false if the helper never reported its process id. */
  abandon(result: ProcessResult): boolean {
    if (this.#pid !== null) signalGroup(this.#pid, 'SIGKILL')
    this.settle(result)
    this.end()
    return this.#pid !== null
  }

  readonly #onAbort = (): void => this.abort(abortReasonOf(this.#signal))
}

/** The result for a program that may have run, but whose result is unknown. */
const KILLED: ProcessResult = { ...unstarted({ code: '', message: '' }), spawnError: null }

function startServer(): ChildProcess {
  const { NODE_COMPILE_CACHE } = process.env
  return fork(fileURLToPath(SERVER), {
    // Keeps the gateway's secrets out of the helper. Programs get their environment from their spec.
    env: NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {},
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}
