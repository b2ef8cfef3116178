import { createHash } from 'node:crypto'
import { needsApproval } from '../access/permission.ts'
import type { Engine } from '../engine/engine.ts'
import { type Execution, secretsOf } from '../engine/execution.ts'
import type { RunFacts } from '../engine/run.ts'
import { canonicalJson } from '../lib/canonical.ts'
import { redactText, redactValue } from '../lib/redact.ts'
import { endOf, within } from '../lib/within.ts'
import type { Approval, ApprovedCall } from '../model/approval.ts'
import type { Answer } from '../model/envelope.ts'
import { GatewayError } from '../model/errors.ts'
import { MEMBER_NAMES } from '../model/option-names.ts'
import type { RefusalReason } from '../model/refusal-reason.ts'

/** A database that takes longer counts as unavailable. */
const STORE_MS = 3_000
/** The wait before a caller should ask again. People take longer than services. */
const ASK_AGAIN_MS = 15_000
/** The later of two calls at once finds the approval used, and asks for one of its own. */
const LOOKS = 3

/**
 * Lets a call through that its key may make by itself, or that a person has approved. Uses up the approval.
 * @throws {GatewayError} APPROVAL_REQUIRED while a person has not decided, FORBIDDEN when one has refused, CONFLICT for
 * an approval that another request has used, VALIDATION for one that is for another call.
 */
export async function requireApproval(execution: Execution, facts: RunFacts): Promise<void> {
  const { card, engine } = facts
  const { request } = execution
  if (!needsApproval(request.caller, card)) return
  for (let look = 0; look < LOOKS; look++) {
    const approval = await reach(execution, findApproval(execution, facts))
    if (approval.status !== 'approved') throw refusalOf(engine, approval)
    const { approval_id: id } = approval
    if (await reach(execution, engine.approvals.store.use(id, execution.id, engine.clock.now()))) {
      execution.approval = id
      return
    }
  }
  throw unavailable(new Error('other requests use the approvals of this call'))
}

/** Makes the approval good again if certainly nothing was applied: the person approved a change, not an attempt. */
export async function settleApproval(
  engine: Engine,
  { approval, id, deadline }: Execution,
  { envelope }: Answer,
): Promise<void> {
  if (approval === null || envelope.ok) return
  if ((envelope.error.write_outcome ?? 'not_applied') !== 'not_applied') return
  const ms = Math.max(STORE_MS, deadline.remaining())
  // The store reports its outage, and gives the approval back later.
  await endOf(engine.approvals.store.giveBack(approval, id), ms)
}

/** The approval that the caller names, or that its call has had, or else a new one. */
async function findApproval(execution: Execution, facts: RunFacts): Promise<Approval> {
  const { store } = facts.engine.approvals
  const call = callOf(execution, facts)
  const named = execution.request.approval
  if (named === undefined) return await store.ask(toAsked(execution, facts, call))
  const found = await store.find(named, facts.engine.clock.now())
  if (!found || !isSameCall(found.call, call)) throw forAnotherCall(execution)
  return found.approval.status === 'expired'
    ? await store.ask(toAsked(execution, facts, call))
    : found.approval
}

function callOf({ request, credential }: Execution, { card, input }: RunFacts): ApprovedCall {
  const { caller, idempotencyKey, route } = request
  return {
    caller: caller.name,
    capability: card.id,
    fingerprint: digestOf(canonicalJson([input, route ?? null, credential?.id ?? null])),
    key: idempotencyKey === undefined ? '' : digestOf(idempotencyKey),
  }
}

/** The id of an approval stands for the Idempotency-Key of the call that asked. */
function isSameCall(one: ApprovedCall, other: ApprovedCall): boolean {
  return (
    one.caller === other.caller &&
    one.capability === other.capability &&
    one.fingerprint === other.fingerprint
  )
}

function toAsked(execution: Execution, { engine, input, plan }: RunFacts, call: ApprovedCall) {
  const secrets = [...secretsOf(execution), ...engine.approvals.secrets()]
  const { reason } = execution.request
  const now = engine.clock.now()
  return {
    ...call,
    requestId: execution.id,
    reason: reason === undefined ? null : redactText(reason, secrets),
    input: JSON.stringify(redactValue(input, secrets)),
    plan: JSON.stringify(plan),
    now,
    expires: now + engine.approvals.lastMs,
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

async function reach<T>({ deadline }: Execution, work: Promise<T>): Promise<T> {
  const ms = Math.min(STORE_MS, deadline.remaining())
  try {
    return await within(work, ms, `no answer within ${Math.round(ms)} ms`)
  } catch (error) {
    throw error instanceof GatewayError ? error : unavailable(error)
  }
}

function refusalOf({ approvals }: Engine, approval: Approval): GatewayError {
  const { approval_id, status, expires_at, used_by } = approval
  const details = { reason: 'APPROVAL_REQUIRED', approval_id }
  switch (status) {
    case 'refused':
      return refusedBy(approval, details)
    case 'used':
      return new GatewayError(
        'CONFLICT',
        `The approval was used by the request ${used_by}. Look what became of it; without the approval's id, the call asks for another.`,
        { source: 'caller', details: { ...details, used_by } },
      )
    default:
      return new GatewayError(
        'APPROVAL_REQUIRED',
        `A person has to approve this call, until ${expires_at}. Send the same call again later, with the approval's id.`,
        {
          retryAfterMs: ASK_AGAIN_MS,
          details,
          approval: { approval_id, expires_at, url: approvals.page(approval_id) },
        },
      )
  }
}

function refusedBy(
  { decided_by, decided_at, expires_at, note }: Approval,
  details: Readonly<Record<string, unknown>>,
): GatewayError {
  const words = note === null ? '' : ` “${note}”`
  return new GatewayError(
    'FORBIDDEN',
    `${decided_by} refused this call at ${decided_at}, so nothing was sent.${words} The same call is refused until ${expires_at}, and asks anew after that; a call with another input asks at once. To have it allowed earlier, talk to ${decided_by}.`,
    { source: 'caller', details: { ...details, decided_by, decided_at, note, expires_at } },
  )
}

function forAnotherCall({ request }: Execution): GatewayError {
  const { approval: path } = request.optionNames ?? MEMBER_NAMES
  const message = 'is not the id of an approval for this call'
  return new GatewayError(
    'VALIDATION',
    `The approval ${message}. Send the input that was approved, or leave the id out to ask for another.`,
    { source: 'caller', details: { fields: [{ path, message }] } },
  )
}

function unavailable(cause: unknown): GatewayError {
  return new GatewayError(
    'SERVER',
    'The store of approvals is unavailable, so nothing was sent. Try again.',
    {
      status: 503,
      retryAfterMs: 1000,
      details: { refused: 'approvals' satisfies RefusalReason },
      cause,
    },
  )
}
