import { existsSync } from 'node:fs'
import { assertJournal, isPostgres } from '../gateway/journal-place.ts'
import type { JournalFilter, JournalReader } from '../journal/journal.ts'
import type { AttemptRow, RequestRow } from '../journal/row-schemas.ts'
import { openSqliteReader } from '../journal/sqlite.ts'
import { filtersOf, type GivenFilters } from './filter-options.ts'
import { type CommonOptions, readSettings } from './options.ts'
import { print, printError, printJson, toTable } from './output.ts'

export interface ListOptions extends CommonOptions {
  readonly journal?: string
  readonly limit?: number
  readonly json?: boolean
}

export interface RequestsOptions extends ListOptions {
  readonly failed?: boolean
  readonly batch?: string
}

const OTHER_IDS = 'signalbox requests --q ID finds ids of batches, traces and approvals too.'

const REQUEST_COLUMNS = [
  'time',
  'request_id',
  'capability_id',
  'code',
  'route_used',
  'ms',
  'caller',
]
const ATTEMPT_COLUMNS = ['time', 'request_id', 'capability_id', 'route', 'status', 'code', 'ms']

/** Reads the journal's file, while a gateway runs or later. Prints the newest requests, or one in full. */
export async function requests(
  id: string | undefined,
  options: RequestsOptions & GivenFilters,
): Promise<void> {
  await readJournal('requests', options, async (reader, file) => {
    if (id !== undefined) return await showOne(id, options, reader, file)
    const { items } = await reader.requests(requestFilterOf(options), {
      limit: options.limit ?? 20,
    })
    if (options.json) printJson(items)
    else print(toTable([REQUEST_COLUMNS, ...items.map(toCells)]))
  })
}

async function showOne(
  id: string,
  options: RequestsOptions & GivenFilters,
  reader: JournalReader,
  file: string,
): Promise<void> {
  const filters = Object.keys(requestFilterOf(options))
  if (filters.length > 0) {
    return fail(`requests shows ${id} alone. Leave out the filter ${filters.join(', ')}.`)
  }
  const found = (await reader.request(id)) ?? (await reader.request(id.toUpperCase()))
  if (found) printJson(found)
  else fail(`the journal ${file} has no request ${id}. ${OTHER_IDS}`)
}

function requestFilterOf(options: RequestsOptions & GivenFilters): JournalFilter {
  const { batch, failed } = options
  return {
    ...filtersOf('requests', options),
    ...(batch === undefined ? {} : { batch_id: batch }),
    ...(failed ? { ok: false } : {}),
  }
}

/** Prints the newest attempts. */
export async function attempts(options: ListOptions & GivenFilters): Promise<void> {
  await readJournal('attempts', options, async reader => {
    const filter = filtersOf('attempts', options)
    const { items } = await reader.attempts(filter, { limit: options.limit ?? 20 })
    if (options.json) printJson(items)
    else print(toTable([ATTEMPT_COLUMNS, ...items.map(toAttemptCells)]))
  })
}

async function readJournal(
  command: 'requests' | 'attempts',
  options: ListOptions,
  read: (reader: JournalReader, file: string) => Promise<void>,
): Promise<void> {
  const settings = readSettings(process.env, options)
  const file = options.journal ?? settings.journal
  if (isPostgres(file)) {
    return fail(
      `${command} reads SQLite files only. For PostgreSQL, use GET /v1/${command} of a gateway.`,
    )
  }
  assertJournal(file)
  if (!existsSync(file)) return fail(`there is no journal at ${file}. Name it with --journal FILE.`)
  const reader = openSqliteReader(file)
  try {
    await read(reader, file)
  } finally {
    reader.close()
  }
}

function toAttemptCells(row: AttemptRow): string[] {
  const { time, request_id, capability_id, route, status, code, duration_ms } = row
  return [
    time,
    request_id,
    capability_id ?? '-',
    route,
    status,
    code ?? '-',
    `${duration_ms ?? '-'}`,
  ]
}

function toCells(row: RequestRow): string[] {
  return [
    row.time,
    row.request_id,
    row.capability_id ?? '-',
    row.code ?? 'ok',
    row.route_used ?? '-',
    `${row.duration_ms ?? '-'}`,
    row.caller,
  ]
}

function fail(message: string): void {
  printError(`signalbox: ${message}`)
  process.exitCode = 1
}
