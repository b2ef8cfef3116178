import { NO_CAPABILITY } from '../../src/journal/find/capabilities.ts'
import type { Journal, JournalFilter } from '../../src/journal/journal.ts'
import { passesOverview } from '../../src/journal/overview-filters.ts'
import { decodeLiveId } from '../../src/journal/row-cursor.ts'
import type { LiveRow, RequestRow } from '../../src/journal/row-schemas.ts'

/** Rows arrive one by one. A moment later the journal can be asked about many at once. */
const GATHER_MS = 20

/**
 * Watches the journal at once and buffers rows until `follow`, so that none is lost between the read of missed rows
 * and the live ones. A null filter passes nothing.
 */
export function createBacklog(
  journal: Pick<Journal, 'watch' | 'requests'>,
  filter: JournalFilter | null,
) {
  const buffered: LiveRow[] = []
  let receive = (live: LiveRow): void => void buffered.push(live)
  let hasFailed = false
  let fail = (): void => {
    hasFailed = true
  }
  const sift = createSieve(journal, filter ?? {}, {
    pass: live => receive(live),
    fail: () => fail(),
  })
  const end = journal.watch(live => {
    if (filter !== null && passes(filter, live.row)) sift(live)
  })
  return {
    end,
    /**
     * Passes on what is buffered, but for the rows already sent, and from then on each row as it arrives.
     * @param onFail called when the journal cannot be asked: then rows are missing.
     */
    follow(sent: ReadonlySet<string>, send: (live: LiveRow) => void, onFail: () => void): void {
      receive = live => {
        if (!sent.has(live.id)) send(live)
      }
      fail = onFail
      for (const live of buffered) receive(live)
      if (hasFailed) onFail()
    },
  }
}

/** Filters by members that a live row has, as the SQL of the list does. */
function passes(filter: JournalFilter, row: RequestRow): boolean {
  const time = Date.parse(row.time)
  const equal = [
    [isPattern(filter) ? undefined : filter.capability, row.capability_id ?? NO_CAPABILITY],
    [filter.ok, row.ok],
    [filter.code, row.code],
    [filter.route, row.route_used],
    [filter.caller, row.caller],
    [filter.request_id, row.request_id],
    [filter.correlation_id, row.correlation_id],
    [filter.batch_id, row.batch_id],
  ]
  return (
    equal.every(([wanted, actual]) => wanted === undefined || wanted === actual) &&
    passesOverview(filter, row) &&
    time >= (filter.since ?? -Infinity) &&
    time < (filter.until ?? Infinity)
  )
}

function isPattern({ capability }: JournalFilter): boolean {
  return capability?.includes('*') ?? false
}

/** Whether `passes` decides alone. */
function isForRows({
  capability: _capability,
  ok: _ok,
  code: _code,
  route: _route,
  caller: _caller,
  request_id: _request,
  correlation_id: _correlation,
  batch_id: _batch,
  outcome: _outcome,
  tried: _tried,
  failed_on: _failed,
  skipped_on: _skipped,
  since: _since,
  until: _until,
  ...others
}: JournalFilter): boolean {
  return Object.keys(others).length === 0
}

interface SieveEnds {
  readonly pass: (live: LiveRow) => void
  readonly fail: () => void
}

/** Asks the journal which of the rows pass the other filters. Rows keep the order in which they arrived. */
function createSieve(
  journal: Pick<Journal, 'requests'>,
  filter: JournalFilter,
  { pass, fail }: SieveEnds,
): (live: LiveRow) => void {
  if (isForRows(filter) && !isPattern(filter)) return pass
  let waiting: LiveRow[] = []
  let asked: Promise<void> = Promise.resolve()
  const ask = async (rows: readonly LiveRow[]): Promise<void> => {
    const keys = rows.map(({ id }) => decodeLiveId(id).key)
    const { items } = await journal.requests({ ...filter, keys }, { limit: rows.length })
    const found = new Set(items.map(row => row.request_id))
    for (const live of rows) if (found.has(live.row.request_id)) pass(live)
  }
  return live => {
    waiting.push(live)
    if (waiting.length > 1) return
    setTimeout(() => {
      const rows = waiting
      waiting = []
      asked = asked.then(() => ask(rows)).catch(fail)
    }, GATHER_MS).unref()
  }
}
