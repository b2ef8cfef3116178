import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Signal } from '../../src/lib/signal.ts'
import { killOrphans } from './orphans.ts'
import {
  abortedBeforeStart,
  killReasonOf,
  type ProcessResult,
  type ProcessRunner,
  type ProcessSpec,
  type Run,
  unstarted,
} from './process-runner.ts'
import { signalGroup, spawnErrorOf } from './run-process.ts'
import type { HelperEvent, HelperRequest } from './spawn-protocol.ts'

/** Beside this file, and compiled when this file is. */
const SERVER = import.meta.url.replace(/spawn-client(\.\w+)$/, 'spawn-server$1')
const HEAP_MB = 64

/**
 * Starts programs by way of a small helper process, so that starting one neither blocks this process
 * nor gets slower with its memory. The helper is started by the first run, and again should it die.
 */
export function createHelperRunner(): ProcessRunner {
  let helper: Helper | null = null
  return {
    run(spec, signal) {
      if (signal.aborted) {
        return { result: Promise.resolve(abortedBeforeStart(signal)), gone: Promise.resolve() }
      }
      if (!helper?.usable) helper = new Helper()
      return helper.run(spec, signal)
    },
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
  #lastId = 0

  constructor() {
    this.#child = startServer()
    this.#child.on('message', (event: HelperEvent) => this.#hear(event))
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
      this.#tell({ kind: 'abort', id, why }),
    )
    this.#runs.set(id, run)
    this.#keepAlive(true)
    this.#tell({ kind: 'run', id, spec })
    return run
  }

  /** The helper kills what it runs when it is left alone, and then itself. */
  async close(): Promise<void> {
    if (!this.#child.connected) return this.#ended
    this.#child.ref()
    for (const run of this.#runs.values()) run.abort('cancelled')
    this.#child.disconnect()
    await this.#ended
  }

  #tell(request: HelperRequest): void {
    // A helper that has died is noticed by its exit.
    if (this.#child.connected) this.#child.send(request, () => {})
  }

  #hear(event: HelperEvent): void {
    const run = this.#runs.get(event.id)
    switch (event.kind) {
      case 'started':
        return run?.started(event.pid)
      case 'result':
        return run?.settle(event.result)
      case 'gone':
        this.#runs.delete(event.id)
        if (this.#runs.size === 0) this.#keepAlive(false)
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

/** A run elsewhere, of which this process hears by messages. */
class RemoteRun implements Run {
  readonly #answer = Promise.withResolvers<ProcessResult>()
  readonly #ended = Promise.withResolvers<void>()
  readonly #signal: Signal
  readonly #tellAbort: (why: 'deadline' | 'cancelled') => void
  #pid: number | null = null

  readonly home: string
  readonly result = this.#answer.promise
  readonly gone = this.#ended.promise

  constructor(home: string, signal: Signal, tellAbort: (why: 'deadline' | 'cancelled') => void) {
    this.home = home
    this.#signal = signal
    this.#tellAbort = tellAbort
    signal.addEventListener('abort', this.#onAbort)
  }

  started(pid: number): void {
    this.#pid = pid
  }

  /** Answers at once; the helper goes on with the killing. */
  abort(killedBy: 'deadline' | 'cancelled'): void {
    this.#tellAbort(killedBy)
    this.settle({ ...KILLED, killedBy })
  }

  settle(result: ProcessResult): void {
    this.#signal.removeEventListener('abort', this.#onAbort)
    this.#answer.resolve(result)
  }

  end(): void {
    this.#ended.resolve()
  }

  /**
   * The helper is dead, and what it had started is nobody's any more. False when it has not said what
   * that is.
   */
  abandon(result: ProcessResult): boolean {
    if (this.#pid !== null) signalGroup(this.#pid, 'SIGKILL')
    this.settle(result)
    this.end()
    return this.#pid !== null
  }

  readonly #onAbort = (): void => this.abort(killReasonOf(this.#signal))
}

/** No result came, and it may have run. */
const KILLED: ProcessResult = { ...unstarted({ code: '', message: '' }), spawnError: null }

function startServer(): ChildProcess {
  const { NODE_COMPILE_CACHE } = process.env
  return fork(fileURLToPath(SERVER), {
    // No secrets of the gateway's environment; each program gets its own environment anyway.
    env: NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {},
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}
