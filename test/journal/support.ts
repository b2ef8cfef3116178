import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ulid } from 'ulid'
import { onTestFinished } from 'vitest'
import type { Attempt, Envelope, EnvelopeError, Meta } from '../../src/envelope.ts'
import type { Journal, RequestRecord } from '../../src/journal/journal.ts'
import { openSqliteJournal, type SqliteJournalOptions } from '../../src/journal/sqlite.ts'

/** A path in a directory that goes with the test. */
export function temporaryFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'signalbox-journal-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return join(directory, 'journal.sqlite')
}

/** Tests write records of any time. */
const FOREVER = { days: Infinity, failure_days: Infinity }

/** A journal on a real file; closed by the test that asks for it. */
export function openJournal(options: Partial<SqliteJournalOptions> = {}): {
  journal: Journal
  file: string
  errors: unknown[]
} {
  const file = options.file ?? temporaryFile()
  const errors: unknown[] = []
  const journal = openSqliteJournal({
    file,
    onError: error => errors.push(error),
    retention: FOREVER,
    ...options,
  })
  onTestFinished(() => journal.close())
  return { journal, file, errors }
}

export interface RecordOptions extends Partial<Omit<RequestRecord, 'envelope'>> {
  readonly attempts?: readonly Attempt[]
  readonly data?: unknown
  /** Makes the record one of a failure. */
  readonly error?: Partial<EnvelopeError>
}

/** A record of `repo.view` over REST, a success unless an error is given. */
export function recordOf(options: RecordOptions = {}): RequestRecord {
  const { attempts = [SUCCESS], data = { name: 'demo' }, error, ...rest } = options
  const record = {
    request_id: ulid(),
    time: Date.now(),
    caller: 'agent',
    capability_id: 'repo.view',
    upstream: 'github',
    effect: 'read' as const,
    http_status: error ? 502 : 200,
    plan: null,
    ...rest,
  }
  const meta: Meta = {
    capability_id: record.capability_id,
    request_id: record.request_id,
    route_used: attempts.find(attempt => attempt.status === 'success')?.route ?? null,
    reason: 'CARD_PREFERRED',
    attempts,
    duration_ms: 13.1,
    warnings: [],
  }
  return { ...record, envelope: envelopeOf(meta, data, error) }
}

function envelopeOf(
  meta: Meta,
  data: unknown,
  error: Partial<EnvelopeError> | undefined,
): Envelope {
  if (!error) return { ok: true, data, error: null, meta }
  return { ok: false, data: null, error: { ...FAILURE, ...error }, meta }
}

export const SUCCESS: Attempt = {
  route: 'rest',
  status: 'success',
  started_ms: 1,
  duration_ms: 12.4,
  upstream_status: 200,
}

export const FAILED: Attempt = {
  route: 'rest',
  status: 'error',
  error_code: 'SERVER',
  started_ms: 1,
  duration_ms: 20.5,
  upstream_status: 503,
  next: 'next_route',
}

const FAILURE: EnvelopeError = {
  code: 'SERVER',
  message: 'The upstream answered 503.',
  retryable: true,
  retry_after_ms: null,
  source: 'upstream',
  write_outcome: null,
  hint_id: 'hint_server_001',
  next: { action: 'retry' },
  details: {},
}
