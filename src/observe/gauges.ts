/** Metrics of the gateway itself, read from the engine at each scrape. */
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Engine } from '../engine/engine.ts'
import { version } from '../lib/version.ts'
import { within } from '../lib/within.ts'

export function readBuild(registry: Registry): void {
  new Gauge({
    name: 'signalbox_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version', 'node'],
    aggregator: 'first',
    registers: [registry],
  }).set({ version, node: process.version }, 1)
}

export function readJournal(registry: Registry, { journal }: Engine): void {
  const registers = [registry]
  new Gauge({
    name: 'signalbox_requests_in_flight',
    help: 'Calls that have begun and are not answered yet.',
    registers,
    collect() {
      this.set(journal.running())
    },
  })
  new Gauge({
    name: 'signalbox_journal_waiting_records',
    help: 'Records in memory that are not written yet.',
    registers,
    collect() {
      this.set(journal.health().waiting)
    },
  })
  new Gauge({
    name: 'signalbox_journal_healthy',
    help: '1 while the journal can be written, else 0.',
    aggregator: 'min',
    registers,
    collect() {
      this.set(journal.health().ok ? 1 : 0)
    },
  })
  const dropped = new Counter({
    name: 'signalbox_journal_dropped_records_total',
    help: 'Records lost because they could not be written and the buffer was full.',
    registers,
    collect() {
      dropped.reset()
      dropped.inc(journal.health().dropped)
    },
  })
}

/** A database that is away must not delay the other metrics. */
const APPROVALS_MS = 1_000

/** Gateways of one database report the same number. The metric is missing while the database is away. */
export function readApprovals(registry: Registry, { approvals: { store }, clock }: Engine): void {
  new Gauge({
    name: 'signalbox_approvals_waiting',
    aggregator: 'max',
    help: 'Calls that wait for a person, at all gateways of the database.',
    registers: [registry],
    async collect() {
      this.remove()
      const counted = within(store.waiting(clock.now()), APPROVALS_MS, 'the database is away')
      const number = await counted.catch(() => null)
      if (number !== null) this.set(number)
    },
  })
}

export function readShared(registry: Registry, { state: { shared } }: Engine): void {
  if (!shared) return
  new Gauge({
    name: 'signalbox_shared_state_healthy',
    help: '1 while the state that gateways share can be reached, else 0.',
    aggregator: 'min',
    registers: [registry],
    collect() {
      this.set(shared.health().ok ? 1 : 0)
    },
  })
}

/** Gateways that share a Redis have no answers of their own, nor have workers. */
export function readKept(registry: Registry, { state: { keptAnswers, shared } }: Engine): void {
  if (shared) return
  const registers = [registry]
  new Gauge({
    name: 'signalbox_kept_answers',
    help: 'Answers in memory, for callers who allow it.',
    registers,
    collect() {
      this.set(keptAnswers.own.count)
    },
  })
  new Gauge({
    name: 'signalbox_kept_answers_bytes',
    help: 'Bytes of the answers in memory.',
    registers,
    collect() {
      this.set(keptAnswers.own.bytes)
    },
  })
}
