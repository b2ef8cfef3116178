import { withAllColumns } from './columns.ts'
import type { JournalEntry } from './entries.ts'
import { SpillFiles } from './spill-files.ts'

/** The records that gateways could not write before their end, one line of JSON for each. The next start writes them to the journal. */
export class Spill {
  readonly #files: SpillFiles

  /** @param place the names of the files begin with it */
  constructor(place: string) {
    this.#files = new SpillFiles(place)
  }

  /** Returns how many entries could not be saved. */
  save(entries: readonly JournalEntry[]): number {
    const kept = entries.filter(({ kind }) => kind === 'request' || kind === 'stats')
    if (kept.length === 0 || this.#files.save(kept.map(entry => JSON.stringify(entry)))) return 0
    return kept.filter(({ kind }) => kind === 'request').length
  }

  /** The requests that wait for `restore`. */
  requestIds(): ReadonlySet<string> {
    return new Set(this.#files.lines().flatMap(requestIdOf))
  }

  /**
   * Writes what earlier gateways saved, and deletes each file after that.
   * @param write rejects if the entry cannot be written; the file then stays for the next start.
   * @param has whether the journal has a request: an earlier start may have written it and died.
   */
  async restore(
    write: (entry: JournalEntry) => Promise<void>,
    has: (requestId: string) => Promise<boolean>,
  ): Promise<void> {
    await this.#files.restore(async lines => {
      for (const entry of lines.map(line => withColumns(JSON.parse(line)))) {
        const isThere = entry.kind === 'request' && (await has(entry.rows.request.request_id))
        if (!isThere) await write(entry)
      }
    })
  }
}

/** None for a line that is no request, or that somebody has damaged: `restore` reports that. */
function requestIdOf(line: string): readonly string[] {
  try {
    const entry = JSON.parse(line) as JournalEntry
    return entry.kind === 'request' ? [entry.rows.request.request_id] : []
  } catch {
    return []
  }
}

function withColumns(entry: JournalEntry): JournalEntry {
  if (entry.kind !== 'request') return entry
  return { ...entry, rows: withAllColumns(entry.rows) }
}
