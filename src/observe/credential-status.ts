import { type Static, Type } from '@sinclair/typebox'
import type { Engine } from '../engine/engine.ts'
import type { DeepReadonly } from '../lib/deep-readonly.ts'
import type { Caller } from '../model/caller.ts'
import type { Upstream } from '../model/card.ts'
import { type IdentityStatus, ownId, type Standing } from '../model/credential.ts'
import { OneOf } from '../model/one-of.ts'
import type { Grant } from '../model/reply.ts'
import { nullable } from '../model/schema-parts.ts'
import type { CredentialUse } from '../state/credential-uses.ts'

/** One of the gateway's own credentials, without any secret. */
export const CredentialStatus = Type.Object({
  credential: Type.String({
    description: 'Its name, such as github:default; with @ the account, where each has its own.',
  }),
  status: OneOf(
    ['works', 'refused', 'fails', 'missing', 'unused'],
    'works and refused: the last answer of the service; fails: there is no secret to send.',
  ),
  message: nullable(Type.String({ description: 'What is wrong with it, and what to do.' })),
  expires_at: nullable(
    Type.String({ description: 'RFC 3339, UTC; null when it does not end, or nobody says when.' }),
  ),
  scopes: nullable(
    Type.Array(Type.String(), {
      description: 'The rights that the service reported, such as repo or issues:write.',
    }),
  ),
  issued: Type.Integer({
    description: 'How often this gateway had it issued; 0 for one that is not.',
  }),
})
export type CredentialStatus = DeepReadonly<Static<typeof CredentialStatus>>

/** The credentials that the calls of a caller use; an operator sees all. */
export function describeCredentials(
  { state }: Pick<Engine, 'state'>,
  { id, credentials }: Pick<Upstream, 'id' | 'credentials'>,
  caller: Pick<Caller, 'operator' | 'credentials'>,
): readonly CredentialStatus[] {
  const [first] = credentials.ids
  const name = caller.credentials?.[id]
  const own = name === undefined ? first : ownId(id, name)
  return credentials
    .statuses()
    .filter(one => caller.operator || one.id.split('@')[0] === own)
    .map(one => describe(one, state.credentialUses.of(one.id)))
}

const NO_STANDING: Standing = {
  expiresAt: null,
  scopes: null,
  failure: null,
  issued: 0,
  note: null,
}
const NO_GRANT: Grant = { scopes: null, expiresAt: null }

function describe({ id, lacking, standing }: IdentityStatus, use: CredentialUse): CredentialStatus {
  const { expiresAt, scopes, issued } = standing ?? { ...NO_STANDING, ...(use.grant ?? NO_GRANT) }
  return {
    credential: id,
    ...(lacking === null
      ? verdictOf(standing ?? NO_STANDING, use)
      : { status: 'missing', message: `${lacking.message}: ${lacking.fix}.` }),
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    scopes,
    issued,
  }
}

function verdictOf(
  { failure, issued, note }: Standing,
  { acceptedAt, refusedAt, refusal }: CredentialUse,
): Pick<CredentialStatus, 'status' | 'message'> {
  if (failure !== null) return { status: 'fails', message: failure.message }
  const isRefused = refusedAt !== null && refusedAt >= (acceptedAt ?? 0)
  if (isRefused) return { status: 'refused', message: refusal }
  return { status: acceptedAt !== null || issued > 0 ? 'works' : 'unused', message: note }
}
