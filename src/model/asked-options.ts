import { type Static, Type } from '@sinclair/typebox'
import type { Building } from '../lib/building.ts'
import type { DeepReadonly } from '../lib/deep-readonly.ts'
import type { ExecuteRequest } from './execute-request.ts'
import type { MemoryUse } from './memory.ts'
import { RouteName } from './schema-parts.ts'

/** The options of a call as its caller gave them, so that people can make the same call again. None of them is a secret. */
export const AskedOptions = Type.Object({
  route: Type.Optional(RouteName),
  timeout_ms: Type.Optional(Type.Number()),
  max_age_ms: Type.Optional(Type.Number()),
  stale_if_error_ms: Type.Optional(Type.Number()),
  max_stale: Type.Optional(
    Type.Literal(true, {
      description: 'An answer of any age would do: max-stale without a number.',
    }),
  ),
  only_if_cached: Type.Optional(Type.Literal(true)),
  no_store: Type.Optional(Type.Literal(true)),
  fields: Type.Optional(Type.String()),
  token_budget: Type.Optional(Type.Number()),
  profile: Type.Optional(Type.String()),
  own_credential: Type.Optional(
    Type.Literal(true, { description: 'The caller sent its own credential for the service.' }),
  ),
})
export type AskedOptions = DeepReadonly<Static<typeof AskedOptions>>

/** Null for a call without options, as most are. */
export function askedOptionsOf(request: ExecuteRequest): AskedOptions | null {
  if (hasNone(request)) return null
  const { route, timeoutMs, fields, upstreamToken, shown, memory } = request
  const asked: Building<AskedOptions> = {}
  if (route !== undefined) asked.route = route
  if (timeoutMs !== undefined) asked.timeout_ms = timeoutMs
  if (memory !== undefined) addMemory(asked, memory)
  if (fields !== undefined) asked.fields = fields
  if (shown !== undefined) addShown(asked, shown)
  if (upstreamToken !== undefined) asked.own_credential = true
  return isEmpty(asked) ? null : asked
}

/** An empty use of memory is asked for by `no-cache`, which no option says. */
function isEmpty(asked: AskedOptions): boolean {
  for (const _ in asked) return false
  return true
}

/** Each call comes by here. */
function hasNone({ route, timeoutMs, fields, upstreamToken, memory, shown }: ExecuteRequest) {
  return (route ?? timeoutMs ?? fields ?? upstreamToken ?? memory ?? shown) === undefined
}

function addShown(
  asked: Building<AskedOptions>,
  { tokenBudget, profile }: NonNullable<ExecuteRequest['shown']>,
): void {
  if (tokenBudget !== undefined) asked.token_budget = tokenBudget
  if (profile !== undefined) asked.profile = profile
}

function addMemory(asked: Building<AskedOptions>, memory: MemoryUse): void {
  const { maxAgeMs, staleIfErrorMs, anyAge, onlyKept, keeps } = memory
  // Without an age, only-if-cached takes what there is.
  if (Number.isFinite(maxAgeMs)) asked.max_age_ms = maxAgeMs
  if (staleIfErrorMs !== 0) asked.stale_if_error_ms = staleIfErrorMs
  if (anyAge) asked.max_stale = true
  if (onlyKept) asked.only_if_cached = true
  if (!keeps) asked.no_store = true
}
