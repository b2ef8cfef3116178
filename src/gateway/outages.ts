import type { Logger } from 'pino'
import type { Channel } from '../lib/channel.ts'
import { reasonOf } from '../lib/message-of.ts'
import type { OutageLog } from '../lib/outage.ts'
import { type OutageLines, OutageLogger } from '../lib/outage-logger.ts'
import type { WorkerLink } from './workers/link.ts'

/** The log lines for the beginning and the end of an outage, by the store. */
const LINES = {
  journal: ['the journal cannot be written', 'the journal can be written again'],
  keys: [
    'the store of Idempotency-Keys is away; calls with a key are refused',
    'the store of Idempotency-Keys can be used again',
  ],
  approvals: [
    'the store of approvals is away; calls that a person must approve are refused',
    'the store of approvals can be used again',
  ],
  audit: [
    'the audit cannot be written; decisions wait in memory',
    'the audit can be written again',
  ],
  state: ['the shared state cannot be reached', 'the shared state can be reached again'],
  traces: ['spans cannot be exported', 'spans can be exported again'],
} as const

type Store = keyof typeof LINES

/** Logs the outages of a store, without a stack: the error says what the store is like, not where a bug is. */
export type Outages = (store: Store) => OutageLog

type Warning = Pick<Logger, 'warn'>

/**
 * Logs an outage once, however many parts of this process meet it. Each of several workers meets it too, and their primary
 * process logs it once.
 */
export function outagesOf(logger: Warning, link: WorkerLink | null): Outages {
  return link === null ? new OutageBoard(logger).own : reportOutages(link.channel)
}

function linesOf(logger: Warning, store: Store): OutageLines {
  const [away, back] = LINES[store]
  return {
    away: error => logger.warn({ reason: reasonOf(error) }, away),
    back: times => (times > 1 ? logger.warn({ outages: times }, back) : logger.warn(back)),
  }
}

/** Logs the outages of the journal, and with a stack the errors that are none: a record that the database rejects, a thread that dies. */
export function logJournal(logger: Warning, outages: Outages) {
  const [message] = LINES.journal
  return {
    onError: (error: unknown) => logger.warn({ err: error }, message),
    ...outages('journal'),
  }
}

interface Report {
  readonly store: Store
  /** Null for the end of the outage. */
  readonly reason: string | null
}

function reportOutages(channel: Pick<Channel, 'tell'>): Outages {
  const report = (report: Report) => channel.tell('outage', report)
  return store => ({
    onAway: error => report({ store, reason: reasonOf(error) }),
    onBack: () => report({ store, reason: null }),
  })
}

/** A store, and those that cannot use it now. */
interface Known {
  readonly outage: OutageLogger
  readonly meeting: Set<unknown>
}

/** The outages as the parts of this process and its workers meet them: each begins for the first of them and ends for the last. */
export class OutageBoard {
  readonly #logger: Warning
  readonly #known = new Map<Store, Known>()

  constructor(logger: Warning) {
    this.#logger = logger
  }

  /** For this process itself. Each call is for another part of it, such as the writer of the journal and its housekeeping. */
  readonly own: Outages = store => {
    const part = {}
    return {
      onAway: error => this.#begin(store, part, error),
      onBack: () => this.#end(store, part),
    }
  }

  /** Serves a worker. @returns a function to call when it has ended: nobody knows whether the store was back for it. */
  serve(channel: Channel): () => void {
    channel.handle('outage', ({ store, reason }: Report) => {
      if (reason === null) this.#end(store, channel)
      else this.#begin(store, channel, reason)
    })
    return () => {
      for (const { meeting } of this.#known.values()) meeting.delete(channel)
    }
  }

  #begin(store: Store, who: unknown, error: unknown): void {
    const { meeting, outage } = this.#of(store)
    if (meeting.size === 0) outage.begin(error)
    meeting.add(who)
  }

  #end(store: Store, who: unknown): void {
    const { meeting, outage } = this.#of(store)
    if (meeting.delete(who) && meeting.size === 0) outage.end()
  }

  #of(store: Store): Known {
    const known = this.#known.get(store) ?? {
      outage: new OutageLogger(linesOf(this.#logger, store)),
      meeting: new Set(),
    }
    this.#known.set(store, known)
    return known
  }
}
