import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { mayCall } from '../../src/access/permission.ts'
import { chooseLanguage } from '../../src/hints/registry.ts'
import type { Caller } from '../../src/model/caller.ts'
import { GatewayError } from '../../src/model/errors.ts'
import { PROFILE_NAMES, type ProfileName } from '../../src/model/profile-name.ts'
import { BUDGET_LIMITS } from '../../src/render/budget/budget.ts'
import { findProfile } from '../../src/render/profiles/index.ts'
import { PLAIN, type Presentation } from '../../src/render/render.ts'
import { acceptedProfile } from './accepted-profile.ts'

/** The query parameters that choose how an answer is presented. */
export const PresentationQuery = {
  profile: Type.Optional(
    Type.String({
      maxLength: 100,
      description: `Dialect of the answer, one of ${PROFILE_NAMES.join(', ')}. See GET /v1/profiles.`,
    }),
  ),
  token_budget: Type.Optional(
    Type.String({
      pattern: '^\\d{1,9}$',
      description: `The most tokens the answer may take, ${BUDGET_LIMITS.min} to ${BUDGET_LIMITS.max}.`,
    }),
  ),
  tokenBudget: Type.Optional(
    Type.String({ pattern: '^\\d{1,9}$', description: 'Another name of token_budget.' }),
  ),
  fields: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2000,
      description:
        'Members of data to return, dotted and comma-separated: items.number,items.title. The answer then lacks all others, also those that its schema requires.',
    }),
  ),
}

/** The parts of a request that choose the presentation. */
interface Wishes {
  readonly query: unknown
  readonly headers: FastifyRequest['headers']
  /** Undefined when the key is unknown. */
  readonly caller?: Caller | undefined
}

/**
 * Reads how the caller wants the answer. The query wins over the Accept header, which wins over the key's profile.
 * @param usual for a request that chooses nothing, of a key that has no profile
 * @throws {GatewayError} VALIDATION for a dialect that does not exist.
 */
export function readPresentation(
  { query, headers, caller }: Wishes,
  usual: ProfileName = PLAIN.profile,
): Presentation {
  const { profile = caller?.profile ?? usual, tokenBudget = null } =
    wishesOf({ query, headers }) ?? {}
  return {
    profile,
    tokenBudget,
    host: headers['user-agent'] ?? null,
    language: chooseLanguage(headers['accept-language']),
    ...(caller ? { mayCall: card => mayCall(caller, card) } : {}),
  }
}

/** Wishes of the request itself about the form of its answer, if any; the profile of its key is no option. */
export function wishesOf({
  query,
  headers,
}: Pick<Wishes, 'query' | 'headers'>):
  | { readonly profile?: ProfileName; readonly tokenBudget?: number }
  | undefined {
  const {
    profile,
    token_budget,
    tokenBudget = token_budget,
  } = query as Readonly<Record<string, unknown>>
  const named = typeof profile === 'string' ? profile : acceptedProfile(headers.accept)
  if (named === null && tokenBudget === undefined) return undefined
  return {
    ...(named === null ? {} : { profile: findProfile(named) }),
    ...(isBudget(tokenBudget) ? { tokenBudget: Number(tokenBudget) } : {}),
  }
}

/** For a request that has already failed: falls back to the default dialect when it names an unknown one. */
export function readPresentationLeniently(request: FastifyRequest): Presentation {
  const { headers, caller, url } = request
  // Fastify does not parse the query of a malformed path.
  const query = request.query ?? Object.fromEntries(new URLSearchParams(url.split('?')[1] ?? ''))
  try {
    return readPresentation({ query, headers, caller })
  } catch (error) {
    if (error instanceof GatewayError) return PLAIN
    throw error
  }
}

function isBudget(text: unknown): text is string {
  return typeof text === 'string' && /^\d{1,9}$/.test(text)
}
