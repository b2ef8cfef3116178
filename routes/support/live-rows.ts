import type { Journal, JournalFilter } from '../../src/journal/journal.ts'
import type { LiveRow, RequestRow } from '../../src/journal/row-schemas.ts'

/**
 * Watches the journal at once and buffers rows until `follow`, so that none is lost between the read of missed rows
 * and the live ones. A null filter passes nothing.
 */
export function createBacklog(journal: Pick<Journal, 'watch'>, filter: JournalFilter | null) {
  const buffered: LiveRow[] = []
  let receive = (live: LiveRow): void => void buffered.push(live)
  const end = journal.watch(live => {
    if (filter !== null && passes(filter, live.row)) receive(live)
  })
  return {
    end,
    /** Passes on what is buffered, but for the rows already sent, and from then on each row as it arrives. */
    follow(sent: ReadonlySet<string>, send: (live: LiveRow) => void): void {
      for (const live of buffered) if (!sent.has(live.id)) send(live)
      receive = send
    },
  }
}

/** Filters as the SQL of the list does. */
function passes(filter: JournalFilter, row: RequestRow): boolean {
  const time = Date.parse(row.time)
  const equal = [
    [filter.capability, row.capability_id],
    [filter.ok, row.ok],
    [filter.code, row.code],
    [filter.route, row.route_used],
    [filter.caller, row.caller],
    [filter.correlation_id, row.correlation_id],
    [filter.batch_id, row.batch_id],
  ]
  return (
    equal.every(([wanted, actual]) => wanted === undefined || wanted === actual) &&
    time >= (filter.since ?? -Infinity) &&
    time < (filter.until ?? Infinity)
  )
}
