import { type Static, Type } from '@sinclair/typebox'
import type { DeepReadonly } from '../lib/deep-readonly.ts'
import { OneOf } from './one-of.ts'
import { nullable } from './schema-parts.ts'

/** `approved` calls have not run yet, or may run again for a while; `used` ones have run. */
export const APPROVAL_STATUSES = ['waiting', 'approved', 'refused', 'used', 'expired'] as const
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number]

export const DECISIONS_ON_APPROVALS = ['approve', 'refuse'] as const

const Time = (description: string) => Type.String({ format: 'date-time', description })

/** A call that waits for a person, or that a person has decided on. */
export const Approval = Type.Object({
  approval_id: Type.String(),
  status: OneOf(APPROVAL_STATUSES, 'What became of it.'),
  capability_id: Type.String(),
  caller: Type.String({ description: 'The gateway key that asked.' }),
  reason: nullable(Type.String({ description: "The caller's own reason for the call." })),
  input: Type.Unknown({ description: 'The input, without secrets.' }),
  plan: Type.Unknown({ description: 'The routes that the gateway would try.' }),
  request_id: Type.String({ description: 'The request that asked first.' }),
  created_at: Time('When it was asked for.'),
  expires_at: Time('Until then it can be decided, or used.'),
  decided_by: nullable(Type.String({ description: 'The key, or the user on the machine.' })),
  decided_at: nullable(Time('When it was decided.')),
  note: nullable(Type.String({ description: 'The words of the person who decided.' })),
  repeatable: Type.Boolean({
    description: 'Whether the call may run more than once, until expires_at.',
  }),
  used_by: nullable(Type.String({ description: 'The last request that ran because of it.' })),
})
export type Approval = DeepReadonly<Static<typeof Approval>>

/** The call that an approval is for: the same call of the same caller finds it again. */
export interface ApprovedCall {
  readonly caller: string
  readonly capability: string
  /** Equal for equal inputs with one route and one credential. */
  readonly fingerprint: string
  /** A digest of the Idempotency-Key; empty without one. */
  readonly key: string
}

/** A call that asks for an approval. */
export interface Asked extends ApprovedCall {
  readonly requestId: string
  readonly reason: string | null
  /** JSON without secrets. */
  readonly input: string
  readonly plan: string
  /** Epoch milliseconds. */
  readonly now: number
  /** Epoch milliseconds. */
  readonly expires: number
}

/** The decision of a person. */
export interface ApprovalDecision {
  readonly approve: boolean
  readonly by: string
  readonly note: string | null
  /** Epoch milliseconds. */
  readonly now: number
  /** Epoch milliseconds; an approval is worth nothing from then on. */
  readonly expires: number
  /** Whether the call may run more than once until then. */
  readonly repeatable: boolean
}

/** The part of an approval that a caller who waits for it needs. */
export interface WaitingApproval {
  readonly approval_id: string
  readonly expires_at: string
  /** Where a person can decide. */
  readonly url: string
}

/** A caller's reason for a call: a person reads it. */
export const MAX_REASON = 500

/** The note of a person who decides. */
export const MAX_NOTE = 500

/**
 * The people who decide on the calls of a key: operators, or also the person at its MCP client, whom the client asks
 * (elicitation).
 */
export const APPROVERS = ['operator', 'elicitation'] as const
export type Approver = (typeof APPROVERS)[number]
