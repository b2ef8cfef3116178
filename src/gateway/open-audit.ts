import type { Logger } from 'pino'
import { Audit } from '../access/audit.ts'
import { CredentialDecisions } from '../access/credential-decisions.ts'
import { KeyRefusals, keyRefusalOf } from '../access/refusals.ts'
import type { Decisions } from '../engine/engine.ts'
import type { RequestRecord } from '../journal/journal.ts'
import type { Answer } from '../model/envelope.ts'
import type { ApprovalStore } from '../state/approvals.ts'
import type { AuditStore } from '../state/audit.ts'
import type { Settings } from './config.ts'

/** The audit of a running gateway. */
export interface OpenAudit {
  readonly audit: Audit
  readonly decisions: Decisions
  /** Notes answers that refuse a request because of its key. */
  readonly onAnswer: (
    answer: Pick<Answer, 'envelope' | 'status'>,
    caller: string | null,
    wanted: string | null,
  ) => void
  readonly onRecord: (finished: RequestRecord) => void
  close(): Promise<void>
}

const DAY_MS = 24 * 60 * 60 * 1000

export function openAudit(
  stores: { readonly audit: AuditStore; readonly approvals: ApprovalStore },
  { audit_days }: Pick<Settings, 'audit_days'>,
  logger: Pick<Logger, 'info' | 'warn'>,
): OpenAudit {
  const audit = new Audit({
    store: stores.audit,
    expire: now => stores.approvals.expire(now),
    keptMs: audit_days * DAY_MS,
    onHead: head => logger.info({ audit_head: `${head.seq}:${head.hash}` }, 'head of the audit'),
    onTrouble: error => logger.warn({ err: error }, 'the audit cannot be written'),
  })
  const refusals = new KeyRefusals(audit.note)
  const credentials = new CredentialDecisions(audit.note)
  const onAnswer: OpenAudit['onAnswer'] = (answer, caller, wanted) => {
    const refusal = keyRefusalOf(answer, caller, wanted)
    if (refusal) refusals.add(refusal)
  }
  return {
    audit,
    decisions: {
      note: audit.note,
      credentialChosen: credentials.chosen,
      credentialOpened: credentials.opened,
      credentialFailed: credentials.failed,
    },
    onAnswer,
    onRecord({ envelope, http_status: status, caller, capability_id }) {
      if (!envelope.ok) onAnswer({ envelope, status }, caller, capability_id)
    },
    async close() {
      refusals[Symbol.dispose]()
      await audit.close()
    },
  }
}
