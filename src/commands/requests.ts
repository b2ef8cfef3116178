import { existsSync } from 'node:fs'

import { isPostgres } from '../gateway/journal-place.ts'
import type { JournalFilter } from '../journal/journal.ts'
import type { RequestRow } from '../journal/row-schemas.ts'
import { openSqliteReader } from '../journal/sqlite.ts'
import { type CommonOptions, readSettings } from './options.ts'
import { print, printError, printJson, toTable } from './output.ts'

export interface RequestsOptions extends CommonOptions {
  readonly journal?: string
  readonly capability?: string
  readonly code?: string
  readonly route?: string
  readonly caller?: string
  readonly correlationId?: string
  readonly batch?: string
  readonly failed?: boolean
  readonly since?: string
  readonly limit?: number
  readonly json?: boolean
}

const COLUMNS = ['time', 'request_id', 'capability_id', 'code', 'route_used', 'ms', 'caller']

/** Reads the journal's file, while a gateway runs or later. Prints the newest requests, or one in full. */
export async function requests(id: string | undefined, options: RequestsOptions): Promise<void> {
  const settings = readSettings(process.env, options)
  const file = options.journal ?? settings.journal
  if (isPostgres(file)) {
    return fail(
      'requests reads SQLite files only. For PostgreSQL, use GET /v1/requests of a gateway.',
    )
  }
  if (!existsSync(file)) return fail(`there is no journal at ${file}. Name it with --journal FILE.`)
  const reader = openSqliteReader(file)
  try {
    if (id !== undefined) {
      const found = await reader.request(id)
      if (!found) return fail(`the journal ${file} has no request ${id}.`)
      printJson(found)
      return
    }
    const { items } = await reader.requests(toFilter(options), { limit: options.limit ?? 20 })
    if (options.json) printJson(items)
    else print(toTable([COLUMNS, ...items.map(toCells)]))
  } finally {
    reader.close()
  }
}

function toFilter({
  capability,
  code,
  route,
  caller,
  correlationId,
  batch,
  failed,
  since,
}: RequestsOptions) {
  const filter: JournalFilter = {
    ...(capability === undefined ? {} : { capability }),
    ...(code === undefined ? {} : { code }),
    ...(route === undefined ? {} : { route }),
    ...(caller === undefined ? {} : { caller }),
    ...(correlationId === undefined ? {} : { correlation_id: correlationId }),
    ...(batch === undefined ? {} : { batch_id: batch }),
    ...(failed ? { ok: false } : {}),
    ...(since === undefined ? {} : { since: Date.parse(since) }),
  }
  return filter
}

function toCells(row: RequestRow): string[] {
  return [
    row.time,
    row.request_id,
    row.capability_id ?? '-',
    row.code ?? 'ok',
    row.route_used ?? '-',
    String(row.duration_ms),
    row.caller,
  ]
}

function fail(message: string): void {
  printError(`signalbox: ${message}`)
  process.exitCode = 1
}
