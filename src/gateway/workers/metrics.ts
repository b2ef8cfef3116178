import { AggregatorRegistry, type Registry } from 'prom-client'
import type { Channel } from '../../lib/channel.ts'
import type { Neighbours } from './link.ts'

export type Samples = Awaited<ReturnType<Registry['getMetricsAsJSON']>>
type Metric = Samples[number]

/** Prometheus waits ten seconds. A worker that takes longer counts with its last samples. */
const SCRAPE_MS = 5_000

/**
 * The metrics of all workers together. The counts of an ended worker stay in the sums, so that no counter ever falls: those that it
 * reported at its end, or those of the last scrape if it was killed.
 */
export class MetricsServer {
  readonly #neighbours: Neighbours
  readonly #own: Registry
  readonly #last = new Map<Channel, Samples>()
  /** The counts of ended workers, by the name of the metric. */
  readonly #ended = new Map<string, Metric>()

  /** @param own metrics of the primary process */
  constructor(neighbours: Neighbours, own: Registry) {
    this.#neighbours = neighbours
    this.#own = own
  }

  /** Serves a worker. @returns a function to call when the worker has ended. */
  serve(channel: Channel): () => void {
    this.#last.set(channel, [])
    channel.handle('metrics', () => this.#expose())
    channel.handle('metrics.last', (samples: Samples) => {
      this.#last.set(channel, samples)
    })
    return () => {
      for (const metric of this.#last.get(channel) ?? [])
        if (isCounted(metric))
          this.#ended.set(metric.name, sum(metric, this.#ended.get(metric.name)))
      this.#last.delete(channel)
    }
  }

  async #expose(): Promise<string> {
    await this.#scrape()
    const own = await this.#own.getMetricsAsJSON()
    const all = [...this.#last.values(), [...this.#ended.values()], own]
    return await AggregatorRegistry.aggregate(all.map(samples => samples.map(worst))).metrics()
  }

  /**
   * Takes the samples of all workers. While it waits for a slow one, another may end: its counts have then moved to those of
   * the ended ones, and must not count again.
   */
  async #scrape(): Promise<void> {
    const before = new Map(this.#last)
    const answers = await this.#neighbours.ask('metrics.samples', null, SCRAPE_MS)
    for (const [channel, samples] of answers) {
      const isNews = this.#last.get(channel) === before.get(channel)
      if (samples !== null && isNews) this.#last.set(channel, samples as Samples)
    }
  }
}

/** Takes the worst of all processes in place of their average: one worker that stands still must not hide behind the others. */
function worst(metric: Metric): Metric {
  return metric.aggregator === 'average' ? { ...metric, aggregator: 'max' } : metric
}

/** A counter or histogram; the type is a word at run time, whatever the types say. */
function isCounted({ type }: Metric): boolean {
  return ['counter', 'histogram'].includes(String(type))
}

function sum(one: Metric, other: Metric | undefined): Metric {
  const values = new Map((other?.values ?? []).map(value => [nameOf(value), value]))
  for (const value of one.values) {
    const name = nameOf(value)
    values.set(name, { ...value, value: value.value + (values.get(name)?.value ?? 0) })
  }
  return { ...one, values: [...values.values()] }
}

function nameOf(value: Metric['values'][number]): string {
  const labels = Object.entries(value.labels).toSorted(([a], [b]) => a.localeCompare(b))
  return JSON.stringify(['metricName' in value ? value.metricName : null, labels])
}
