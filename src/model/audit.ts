import { type Static, Type } from '@sinclair/typebox'
import type { DeepReadonly } from '../lib/deep-readonly.ts'
import { OneOf } from './one-of.ts'
import { nullable } from './schema-parts.ts'

/** Everything that is decided about keys, credentials, approvals, settings and upstreams, and about the audit itself. */
export const AUDIT_ACTIONS = [
  'settings.loaded',
  'settings.reloaded',
  'settings.faulty',
  'key.added',
  'key.changed',
  'key.removed',
  'key.refused',
  'approval.asked',
  'approval.approved',
  'approval.refused',
  'approval.used',
  'approval.returned',
  'approval.expired',
  'credential.chosen',
  'credential.renewed',
  'credential.failed',
  'cards.reloaded',
  'cards.faulty',
  'upstream.reset',
  'audit.pruned',
  'audit.lost',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** The actor of decisions that nobody asked for. No key can have this name. */
export const GATEWAY = '(gateway)'

/** The caller, in records, of a request whose key is unknown. No key can have this name. */
export const ANONYMOUS = '(anonymous)'

/** A decision, as the part of the gateway that made it notes it. It holds no secret. */
export interface Decision {
  readonly action: AuditAction
  /** A gateway key, a person on the machine, or the gateway itself. */
  readonly actor: string
  /** The key, approval, credential, upstream or file that it is about. */
  readonly subject: string
  readonly reason?: string | null
  /** Texts, whole numbers, booleans, and lists and objects of them. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** Notes a decision. Never fails, and the caller does not wait for it. */
export type NoteDecision = (decision: Decision) => void

/** One record of the audit. Each contains the hash of the one before it. */
export const AuditRecord = Type.Object({
  seq: Type.Integer({ description: 'Its number; no number is missing.' }),
  time: Type.String({ format: 'date-time', description: 'When it was decided.' }),
  action: OneOf(AUDIT_ACTIONS, 'What was decided.'),
  actor: Type.String({ description: 'Who decided: a key, a person, or the gateway.' }),
  subject: Type.String({
    description: 'The key, approval, credential, upstream or file it is about.',
  }),
  reason: nullable(Type.String({ description: 'Why.' })),
  details: Type.Record(Type.String(), Type.Unknown()),
  gateway: Type.String({ description: 'The machine and process that wrote the record.' }),
  previous_hash: Type.String({ description: 'The hash of the record before it.' }),
  hash: Type.String({
    description: 'SHA-256 of the record without hash, as JSON with sorted members and no spaces.',
  }),
})
export type AuditRecord = DeepReadonly<Static<typeof AuditRecord>>

/** The newest record. Kept elsewhere, it shows later that nothing was cut off. */
export const AuditHead = Type.Object({ seq: Type.Integer(), hash: Type.String() })
export type AuditHead = Readonly<Static<typeof AuditHead>>
