import type { Logger } from 'pino'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { connect } from '../../journal/sqlite/connection.ts'
import { openSqliteHost } from '../../journal/sqlite.ts'
import type { Channel } from '../../lib/channel.ts'
import { StoreServer } from '../../state/local/store.ts'
import type { Settings } from '../config.ts'
import { isPostgres } from '../journal-place.ts'
import { type Losses, sumOf } from '../losses.ts'
import { logJournal, OutageBoard, type Outages } from '../outages.ts'
import { KeyServer } from './idempotency.ts'
import { JournalServer } from './journal.ts'
import { Neighbours } from './link.ts'
import { MetricsServer } from './metrics.ts'

/** The services of the primary process for its workers. */
export interface Services {
  readonly neighbours: Neighbours
  /** Serves a worker. @returns a function to call when the worker has ended. */
  readonly serve: (channel: Channel) => () => void
  /** The facts that the workers and the journal's file could not keep. */
  readonly losses: () => Losses
  readonly close: () => Promise<void>
}

/** Opens what the workers share: the journal's file, unless it is in PostgreSQL, and the state, unless it is in Redis. */
export function openServices(settings: Settings, logger: Pick<Logger, 'warn'>): Services {
  const outages = new OutageBoard(logger)
  const file = isPostgres(settings.journal) ? null : openFile(settings, logger, outages.own)
  const store = new StoreServer(settings.kept_answers_max_bytes)
  const neighbours = new Neighbours()
  const lost = new Map<Channel, Losses>()
  const registry = new Registry()
  const metrics = new MetricsServer(neighbours, registry)
  collectOwn(registry, store, settings.state === 'memory')
  return {
    neighbours,
    serve(channel) {
      neighbours.serve(channel)
      channel.handle('lost', (losses: Losses) => void lost.set(channel, losses))
      const ends = [metrics, store, outages, file].map(part => part?.serve(channel))
      return () => {
        for (const end of ends) end?.()
      }
    },
    losses() {
      const own = { records: file?.dropped() ?? 0, decisions: 0, returns: 0 }
      return sumOf([own, ...lost.values()])
    },
    async close() {
      store[Symbol.dispose]()
      await file?.close()
    },
  }
}

function openFile(settings: Settings, logger: Pick<Logger, 'warn'>, outages: Outages) {
  const { journal: file, journal_durability: durability, journal_max_bytes: most } = settings
  const host = openSqliteHost({
    file,
    durability,
    retention: {
      days: settings.journal_days,
      failure_days: settings.journal_failure_days,
      max_bytes: most > 0 ? most : null,
    },
    ...logJournal(logger, outages),
    housekeeping: outages('journal'),
  })
  const db = connect(file, { durability })
  const keys = new KeyServer(db)
  const journal = new JournalServer(host, logJournal(logger, outages))
  return {
    serve(channel: Channel) {
      const ends = [journal.serve(channel), keys.serve(channel)]
      return () => {
        for (const end of ends) end()
      }
    },
    dropped: () => host.journal.health().dropped + journal.refused,
    async close() {
      db.close()
      await journal.close()
      await host.journal.close()
    },
  }
}

/** The process itself, and the answers that it keeps for the workers. */
function collectOwn(registry: Registry, store: StoreServer, keeps: boolean): void {
  collectDefaultMetrics({ register: registry })
  for (const name of ['handles', 'requests', 'resources']) {
    registry.removeSingleMetric(`nodejs_active_${name}_total`)
  }
  if (!keeps) return
  const registers = [registry]
  new Gauge({
    name: 'signalbox_kept_answers',
    help: 'Answers in memory, for callers who allow it.',
    registers,
    collect() {
      this.set(store.kept.count)
    },
  })
  new Gauge({
    name: 'signalbox_kept_answers_bytes',
    help: 'Bytes of the answers in memory.',
    registers,
    collect() {
      this.set(store.kept.bytes)
    },
  })
}
