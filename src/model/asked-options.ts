import { type Static, Type } from '@sinclair/typebox'
import type { DeepReadonly } from '../lib/deep-readonly.ts'
import type { ExecuteRequest } from './execute-request.ts'
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
  const { route, timeoutMs, fields, upstreamToken, shown } = request
  const given = [
    ['route', route],
    ['timeout_ms', timeoutMs],
    ...memoryOptions(request),
    ['fields', fields],
    ['token_budget', shown?.tokenBudget],
    ['profile', shown?.profile],
    ['own_credential', upstreamToken === undefined ? undefined : true],
  ].filter(([, value]) => value !== undefined)
  return given.length === 0 ? null : (Object.fromEntries(given) as AskedOptions)
}

/** Each call comes by here. */
function hasNone({ route, timeoutMs, fields, upstreamToken, memory, shown }: ExecuteRequest) {
  return (route ?? timeoutMs ?? fields ?? upstreamToken ?? memory ?? shown) === undefined
}

function memoryOptions({ memory }: ExecuteRequest): [string, unknown][] {
  if (memory === undefined) return []
  const { maxAgeMs, staleIfErrorMs, anyAge, onlyKept, keeps } = memory
  return [
    // Without an age, only-if-cached takes what there is.
    ['max_age_ms', Number.isFinite(maxAgeMs) ? maxAgeMs : undefined],
    ['stale_if_error_ms', staleIfErrorMs === 0 ? undefined : staleIfErrorMs],
    ['max_stale', anyAge || undefined],
    ['only_if_cached', onlyKept || undefined],
    ['no_store', !keeps || undefined],
  ]
}
