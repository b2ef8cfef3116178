import { redactText } from '../lib/redact.ts'
import type { Approval } from '../model/approval.ts'
import type { Caller } from '../model/caller.ts'
import { GatewayError } from '../model/errors.ts'
import type { ApprovalFilter, ApprovalPage, ApprovalStore } from '../state/approvals.ts'

/** The decision of a person on a waiting call. */
export interface Verdict {
  readonly approve: boolean
  readonly note: string | null
  /** The call may run as often as it is sent, for this long, milliseconds; null: once. */
  readonly forMs: number | null
}

/** The approvals as people see and decide them. */
export interface ApprovalDesk {
  list(filter: Omit<ApprovalFilter, 'now'>): Promise<ApprovalPage>
  /** @throws {GatewayError} NOT_FOUND */
  show(id: string): Promise<Approval>
  /**
   * @param by the key, or the user on this machine
   * @throws {GatewayError} NOT_FOUND, FORBIDDEN for the caller's own call, CONFLICT when it waits no more
   */
  decide(id: string, by: string, verdict: Verdict): Promise<Approval>
  /**
   * Decides for the person at the client of the key that asked.
   * @throws {GatewayError} as `decide`, and FORBIDDEN unless the key lets that person decide
   */
  decideAtClient(id: string, caller: Caller, verdict: Verdict): Promise<Approval>
}

/**
 * @param lastMs how long an approved call may be sent
 * @param secrets removed from notes. @default those that show their form
 */
export function createApprovalDesk(
  store: ApprovalStore,
  lastMs: number,
  now: () => number = Date.now,
  secrets: () => readonly string[] = () => [],
): ApprovalDesk {
  const show = async (id: string) => {
    const found = await reach(store.find(id, now()))
    if (found) return found.approval
    throw new GatewayError('NOT_FOUND', 'There is no approval with this id.', { source: 'caller' })
  }
  const record = async (id: string, by: string, { approve, note, forMs }: Verdict) => {
    const time = now()
    const said = note === null ? null : redactText(note, secrets())
    const decision = { approve, by, note: said, now: time, expires: time + (forMs ?? lastMs) }
    const decided = await reach(store.decide(id, { ...decision, repeatable: forMs !== null }))
    if (decided) return decided
    throw decidedAlready(await show(id))
  }
  return {
    show,
    list: filter => reach(store.list({ ...filter, now: now() })),
    async decide(id, by, verdict) {
      const asked = await show(id)
      if (asked.caller === by) throw ownCall(by)
      return await record(id, by, verdict)
    },
    async decideAtClient(id, { name, approveBy }, verdict) {
      const asked = await show(id)
      if (approveBy !== 'elicitation' || asked.caller !== name) throw ownCall(name)
      return await record(id, `(client of ${name})`, verdict)
    },
  }
}

async function reach<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new GatewayError('SERVER', 'The store of approvals is unavailable. Try again.', {
      status: 503,
      retryAfterMs: 1000,
      cause: error,
    })
  }
}

function ownCall(by: string): GatewayError {
  return new GatewayError(
    'FORBIDDEN',
    `The key "${by}" asked for this approval itself, and another operator has to decide.`,
    { source: 'caller' },
  )
}

function decidedAlready({ status, decided_by }: Approval): GatewayError {
  const who = decided_by === null ? '' : ` by ${decided_by}`
  return new GatewayError('CONFLICT', `The call waits no more: its approval is ${status}${who}.`, {
    source: 'caller',
    details: { status },
  })
}
