/** Metrics of the gateway's own credentials, read from the engine at each scrape. */
import { Gauge, type Registry } from 'prom-client'
import type { Engine } from '../engine/engine.ts'
import { describeCredentials } from './credential-status.ts'

/** A credential without a known end has no sample. */
export function readCredentials(registry: Registry, engine: Engine): void {
  new Gauge({
    name: 'signalbox_credential_expires_timestamp_seconds',
    // Each worker has tokens of its own.
    aggregator: 'min',
    help: "When one of the gateway's credentials ends, as Unix time. renewed: the gateway replaces it itself.",
    labelNames: ['upstream', 'credential', 'renewed'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { upstream } of engine.upstreams()) {
        for (const one of describeCredentials(engine, upstream, { operator: true })) {
          if (one.expires_at === null) continue
          const renewed = String(one.issued > 0)
          const labels = { upstream: upstream.id, credential: one.credential, renewed }
          this.set(labels, Date.parse(one.expires_at) / 1000)
        }
      }
    },
  })
}
