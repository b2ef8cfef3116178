import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { exportAudit, verifyStore } from '../access/audit-list.ts'
import { isPostgres } from '../gateway/journal-place.ts'
import { openApprovals } from '../gateway/open-approvals.ts'
import { showUnseen } from '../lib/show-unseen.ts'
import type { AuditAction, AuditHead, AuditRecord } from '../model/audit.ts'
import { SettingsError } from '../model/settings-error.ts'
import type { AuditFilter, AuditStore } from '../state/audit.ts'
import { ChainCheck, type Verification } from '../state/audit-chain.ts'
import { type CommonOptions, readSettings } from './options.ts'
import { print, printJson, toTable } from './output.ts'

export interface AuditListOptions extends CommonOptions {
  readonly action?: AuditAction
  readonly actor?: string
  readonly subject?: string
  readonly since?: string
  readonly until?: string
  readonly limit?: number
  readonly json?: boolean
}

export interface VerifyOptions extends CommonOptions {
  /** `SEQ:HASH`, as an earlier verification or the log of a gateway has printed it. */
  readonly head?: string
  readonly json?: boolean
}

const COLUMNS = ['time', 'seq', 'action', 'actor', 'subject', 'reason']
const USUAL = 50

/** Prints the newest records. */
export async function listAudit(options: AuditListOptions): Promise<void> {
  await withAudit(options, async audit => {
    const span = { direction: 'older', from: Number.MAX_SAFE_INTEGER } as const
    const found = await audit.read(filterOf(options), { ...span, limit: options.limit ?? USUAL })
    if (options.json) printJson(found)
    else print(toTable([COLUMNS, ...found.map(toCells)]))
  })
}

/** Prints all records as JSON lines, the oldest first. */
export async function exportLines(options: AuditListOptions): Promise<void> {
  await withAudit(options, async audit => {
    for await (const record of exportAudit(audit, filterOf(options)))
      print(showUnseen(JSON.stringify(record)))
  })
}

/**
 * Checks the chain of the database, or of an exported file. The exit code is 1 if a record is missing, changed or in another
 * place, and if the head that was kept is not in the chain.
 */
export async function verifyAudit(file: string | undefined, options: VerifyOptions): Promise<void> {
  const head = parseHead(options.head)
  const result =
    file === undefined
      ? await withAudit(options, audit => verifyStore(audit, head))
      : await verifyFile(file, head)
  if (!isSound(result)) process.exitCode = 1
  if (options.json) return printJson({ ok: isSound(result), ...result })
  for (const { message } of result.faults) print(`fail  ${message}`)
  const { records, first, head: last } = result
  if (last === null) return print('ok    there are no records')
  const state = isSound(result) ? 'ok  ' : 'fail'
  print(`${state}  ${records} records, ${first} to ${last.seq}; head ${last.seq}:${last.hash}`)
}

function isSound({ faults }: Verification): boolean {
  return faults.length === 0
}

async function verifyFile(file: string, kept: AuditHead | null): Promise<Verification> {
  const check = new ChainCheck(kept)
  const input = file === '-' ? process.stdin : createReadStream(file)
  let line = 0
  for await (const text of createInterface({ input })) {
    line++
    if (text.trim() !== '') check.add(parseRecord(text, file, line))
  }
  return check.end(null)
}

function parseRecord(text: string, file: string, line: number): AuditRecord {
  try {
    const record = JSON.parse(text) as AuditRecord
    if (Number.isSafeInteger(record.seq) && typeof record.hash === 'string') return record
  } catch {
    // Reported below.
  }
  throw new SettingsError(
    `${file}:${line} is no record of the audit. Give the file that signalbox audit export has printed.`,
  )
}

function parseHead(text: string | undefined): AuditHead | null {
  if (text === undefined) return null
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  if (seq !== undefined && hash !== undefined) return { seq: Number(seq), hash }
  throw new SettingsError('--head must be NUMBER:HASH, as signalbox audit verify prints it.')
}

function filterOf({ action, actor, subject, since, until }: AuditListOptions): AuditFilter {
  return {
    ...(action && { action }),
    ...(actor && { actor }),
    ...(subject && { subject }),
    ...(since && { since: parseTime('--since', since) }),
    ...(until && { until: parseTime('--until', until) }),
  }
}

function parseTime(option: string, text: string): number {
  const time = Date.parse(text)
  if (!Number.isNaN(time)) return time
  throw new SettingsError(`${option} is not a time: ${text}. Write RFC 3339, or a date.`)
}

async function withAudit<T>(
  options: CommonOptions,
  work: (audit: AuditStore) => Promise<T>,
): Promise<T> {
  const settings = readSettings(process.env, options)
  assertExists(settings.journal)
  await using open = await openApprovals(settings)
  // A gateway that was killed leaves decisions to be chained.
  await open.audit.append([])
  return await work(open.audit)
}

/** An empty journal at a wrong place would pass every check. */
function assertExists(journal: string): void {
  if (isPostgres(journal) || existsSync(journal)) return
  throw new SettingsError(
    `there is no journal at ${journal}. Name the settings of the gateway with --config, or set SIGNALBOX_JOURNAL.`,
  )
}

function toCells({ time, seq, action, actor, subject, reason }: AuditRecord): string[] {
  return [time, String(seq), action, actor, subject, reason ?? '-']
}
