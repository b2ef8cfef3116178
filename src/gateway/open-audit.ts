import type { Logger } from 'pino'
import { Audit } from '../access/audit.ts'
import { AuditSpill } from '../access/audit-spill.ts'
import { CredentialDecisions } from '../access/credential-decisions.ts'
import { KeyRefusals, keyRefusalOf } from '../access/refusals.ts'
import type { Decisions } from '../engine/engine.ts'
import type { RequestRecord } from '../journal/journal.ts'
import { redactText } from '../lib/redact.ts'
import type { NoteDecision } from '../model/audit.ts'
import type { Answer } from '../model/envelope.ts'
import type { ApprovalStore } from '../state/approvals.ts'
import type { AuditStore } from '../state/audit.ts'
import type { Settings } from './config.ts'
import type { Outages } from './outages.ts'

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

interface AuditParts {
  readonly logger: Pick<Logger, 'info'>
  readonly outages: Outages
  /** Secrets of the gateway's own callers. */
  readonly secrets: () => readonly string[]
  /** How the names of the files begin that keep what cannot be written before the end; null for none. */
  readonly spill: string | null
}

const DAY_MS = 24 * 60 * 60 * 1000

export function openAudit(
  stores: { readonly audit: AuditStore; readonly approvals: ApprovalStore },
  { audit_days }: Pick<Settings, 'audit_days'>,
  { logger, outages, secrets, spill }: AuditParts,
): OpenAudit {
  const audit = new Audit({
    store: stores.audit,
    expire: now => stores.approvals.expire(now),
    keptMs: audit_days * DAY_MS,
    onHead: head => logger.info({ audit_head: `${head.seq}:${head.hash}` }, 'head of the audit'),
    outage: outages('audit'),
    spill: spill === null ? null : new AuditSpill(spill),
  })
  const note = withoutSecrets(audit.note, secrets)
  const refusals = new KeyRefusals(note)
  const credentials = new CredentialDecisions(note)
  const onAnswer: OpenAudit['onAnswer'] = (answer, caller, wanted) => {
    const refusal = keyRefusalOf(answer, caller, wanted)
    if (refusal) refusals.add(refusal)
  }
  return {
    audit,
    decisions: {
      note,
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

/** A message may quote what a caller has sent, and a record stays for a year. */
function withoutSecrets(note: NoteDecision, secrets: () => readonly string[]): NoteDecision {
  const clean = <T>(value: T) => (typeof value === 'string' ? redactText(value, secrets()) : value)
  return ({ reason = null, details = {}, ...decision }) =>
    note({
      ...decision,
      reason: clean(reason),
      details: Object.fromEntries(
        Object.entries(details).map(([name, value]) => [name, clean(value)]),
      ),
    })
}
