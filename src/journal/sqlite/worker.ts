/** The entry of the thread that `reading-thread.ts` starts: queries and housekeeping on a connection of its own. */
import { setTimeout as delay } from 'node:timers/promises'
import { isMainThread, type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { Sql } from '../find/search.ts'
import { SWEEP_EVERY_MS } from '../retention.ts'
import { connect } from './connection.ts'
import { checkpoint, type FileRetention, sweep } from './housekeeping.ts'
import { keepDoing } from './keep-doing.ts'
import { createSelect } from './select.ts'

/** For `new Worker`; correct in the sources and in a compiled package. */
export const workerUrl = new URL(import.meta.url)

export interface WorkerOptions {
  /** Distinguishes this thread from others that import the module. */
  readonly role: 'signalbox-journal'
  readonly file: string
  readonly retention: FileRetention
}

export type WorkerRequest = { readonly id: number; readonly query: Sql } | 'close'

export type WorkerReply =
  | { readonly kind: 'rows'; readonly id: number; readonly rows: readonly unknown[] }
  | { readonly kind: 'error'; readonly id: number; readonly error: unknown }
  | { readonly kind: 'housekeeping_fails'; readonly error: unknown }
  | { readonly kind: 'housekeeping_works' }

const CHECKPOINT_EVERY_MS = 100

if (!isMainThread && parentPort && workerData?.role === 'signalbox-journal') {
  serve(parentPort, workerData)
}

function serve(port: MessagePort, { file, retention }: WorkerOptions): void {
  const db = connect(file)
  const select = createSelect(db)
  const closing = new AbortController()
  const reply = (message: WorkerReply) => port.postMessage(message)

  port.on('message', (request: WorkerRequest) => {
    if (request === 'close') {
      closing.abort()
      db.close()
      port.close()
      return
    }
    const { id, query } = request
    try {
      reply({ kind: 'rows', id, rows: select(query) })
    } catch (error) {
      reply({ kind: 'error', id, error })
    }
  })

  const { signal } = closing
  const chores = [
    { everyMs: CHECKPOINT_EVERY_MS, run: () => checkpoint(db) },
    { everyMs: SWEEP_EVERY_MS, run: () => sweep(db, retention, Date.now()) },
  ]
  void keepDoing(chores, {
    signal,
    sleep: ms => delay(ms, undefined, { signal }).catch(() => {}),
    outage: {
      onAway: error => reply({ kind: 'housekeeping_fails', error }),
      onBack: () => reply({ kind: 'housekeeping_works' }),
    },
  })
}
