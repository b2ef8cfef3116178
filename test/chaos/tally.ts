import type { FaultAction } from '../../sandbox/index.ts'
import { claimOf } from './checks.ts'
import type { Observation } from './run.ts'
import { CAPABILITIES, type Schedule } from './schedule.ts'

/** Counts the faults and outcomes of all runs, for the table at the end. */
export class Tally {
  readonly #faults = new Table()
  readonly #others = new Map<string, number>()
  readonly #outcomes = new Table()

  add(schedule: Schedule, { calls, log }: Observation): void {
    for (const { fault, route, via } of log) {
      if (fault) this.#faults.count(nameOf(fault), via === 'socket' ? 'cli' : route)
    }
    for (const seen of calls) this.#outcomes.count(outcomeOf(seen), seen.call.capability)
    const { tripped, skewMs, crowd, killAfterMs } = schedule
    this.#count('clients that left', calls.filter(({ call }) => call.leavesAfterMs !== null).length)
    this.#count('calls of agents', calls.filter(({ call }) => call.agent !== null).length)
    this.#count('calls with a key', calls.filter(({ call }) => call.key !== null).length)
    this.#count('open breakers', tripped.length)
    this.#count('skewed clocks', skewMs === 0 ? 0 : 1)
    this.#count('crowds', crowd === null ? 0 : 1)
    this.#count('kill -9', killAfterMs === null ? 0 : 1)
  }

  format(): string {
    return [
      this.#faults.format('applied faults', ['rest', 'graphql', 'cli']),
      [...this.#others].map(([what, count]) => `${what}: ${count}`).join(' · '),
      this.#outcomes.format('outcomes of calls', CAPABILITIES),
    ].join('\n\n')
  }

  #count(what: string, count: number): void {
    this.#others.set(what, (this.#others.get(what) ?? 0) + count)
  }
}

function nameOf(action: FaultAction): string {
  return Object.entries(action)
    .filter(([key]) => key !== 'headers' && key !== 'body' && key !== 'delay_ms')
    .map(([key, value]) => `${key} ${String(value)}`)
    .concat('delay_ms' in action ? 'delay' : [])
    .join('')
}

function outcomeOf(seen: Observation['calls'][number]): string {
  const { answer, heard, record } = seen
  if (heard) return `agent: ${heard.failure?.next?.action ?? 'ok'}`
  if (!answer) return record ? `left; journal: ${claimOf(seen)}` : 'left or killed, no trace'
  const { envelope, replayed } = answer
  if (replayed) return `replayed: ${claimOf(seen)}`
  if (envelope.ok) return envelope.meta.reason === 'RECOVERED' ? 'ok, found by verifying' : 'ok'
  return envelope.error.write_outcome === null ? 'error' : `error: ${claimOf(seen)}`
}

class Table {
  readonly #rows = new Map<string, Map<string, number>>()

  count(row: string, column: string): void {
    const counts = this.#rows.get(row) ?? new Map<string, number>()
    this.#rows.set(row, counts.set(column, (counts.get(column) ?? 0) + 1))
  }

  format(title: string, columns: readonly string[]): string {
    const rows = [...this.#rows]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([row, counts]) => [row, ...columns.map(column => String(counts.get(column) ?? 0))])
    const lines = [[title, ...columns], ...rows]
    const widths = [title, ...columns].map((_, index) =>
      Math.max(...lines.map(line => line[index]?.length ?? 0)),
    )
    return lines
      .map(line => line.map((cell, index) => pad(cell, widths[index] ?? 0, index)).join('  '))
      .join('\n')
  }
}

function pad(cell: string, width: number, index: number): string {
  return index === 0 ? cell.padEnd(width) : cell.padStart(width)
}
