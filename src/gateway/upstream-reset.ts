import type { Engine } from '../engine/engine.ts'
import { GatewayError } from '../model/errors.ts'
import type { Forgotten, ResetPart } from '../model/reset.ts'

/** Resets an upstream for all gateways that share the state, and notes who did it. */
export type ResetUpstream = (id: string, parts: readonly ResetPart[], by: string) => Forgotten

/** @throws {GatewayError} NOT_FOUND for an upstream that no card uses */
export function upstreamReset({ upstreams, state, clock, decisions }: Engine): ResetUpstream {
  return (id, parts, by) => {
    const known = upstreams().map(({ upstream }) => upstream.id)
    if (!known.includes(id)) throw unknown(id, known)
    const forgotten = state.resets.make(id, parts, clock.now())
    const details = { parts, ...forgotten }
    decisions.note({ action: 'upstream.reset', actor: by, subject: id, details })
    return forgotten
  }
}

function unknown(id: string, known: readonly string[]): GatewayError {
  const message = `There is no upstream ${JSON.stringify(id)}. There are: ${known.join(', ') || 'none'}.`
  return new GatewayError('NOT_FOUND', message, { source: 'caller' })
}
