import { userInfo } from 'node:os'
import { type ApprovalDesk, createApprovalDesk } from '../access/approvals.ts'
import { openApprovals } from '../gateway/open-approvals.ts'
import type { Approval, ApprovalStatus } from '../model/approval.ts'
import { GatewayError } from '../model/errors.ts'
import { type CommonOptions, readSettings } from './options.ts'
import { print, printError, printJson, toTable } from './output.ts'

export interface ListOptions extends CommonOptions {
  readonly status?: ApprovalStatus | 'all'
  readonly json?: boolean
}

export interface DecideOptions extends CommonOptions {
  readonly note?: string
  readonly forMs?: number
}

const COLUMNS = ['created', 'approval_id', 'status', 'capability', 'caller', 'reason']
const MOST = 200

/** Prints the calls that wait for a person, or those in another state. */
export async function listApprovals({
  status = 'waiting',
  json = false,
  ...options
}: ListOptions): Promise<void> {
  await atDesk(options, async desk => {
    const wanted = status === 'all' ? null : status
    const { items } = await desk.list({ status: wanted, limit: MOST, before: null })
    if (json) printJson(items)
    else print(toTable([COLUMNS, ...items.map(toCells)]))
  })
}

/** Prints one approval in full. */
export async function showApproval(id: string, options: CommonOptions): Promise<void> {
  await atDesk(options, async desk => printJson(await desk.show(id)))
}

/** Decides on a waiting call, and prints the approval. */
export async function decideApproval(
  id: string,
  approve: boolean,
  { note, forMs, ...options }: DecideOptions,
): Promise<void> {
  await atDesk(options, async desk => {
    // No key and no token gives a name with this end, so a person at this machine is nobody's caller.
    const by = `${userInfo().username}@localhost`
    printJson(await desk.decide(id, by, { approve, note: note ?? null, forMs: forMs ?? null }))
  })
}

async function atDesk(
  options: CommonOptions,
  work: (desk: ApprovalDesk) => Promise<void>,
): Promise<void> {
  const settings = readSettings(process.env, options)
  await using approvals = await openApprovals(settings)
  try {
    await work(createApprovalDesk(approvals.store, settings.approval_ms))
    await approvals.audit.append([])
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    printError(`signalbox: ${error.message}`)
    process.exitCode = 1
  }
}

function toCells(approval: Approval): string[] {
  const { created_at, approval_id, status, capability_id, caller, reason } = approval
  return [created_at, approval_id, status, capability_id, caller, reason ?? '-']
}
