import { Type } from '@sinclair/typebox'
import { type Envelope, FailureEnvelope, successOf } from '../../model/envelope.ts'
import { AnyObject } from '../../model/schema-parts.ts'
import type { Context, Profile } from './profile.ts'
import { fenced } from './schema-parts.ts'

export const defaultProfile: Profile = {
  description: 'ok / data / error / meta, with everything that Signalbox knows.',
  schema: Type.Union([successOf(AnyObject), FailureEnvelope]),
  untrusted: 'fence',
  defaultBudget: null,
  leastBudget: 200,
  warns: true,
  includesTokens: false,
  render: withNext,
  write: (envelope, context) => {
    const data = envelope.ok ? context.dataText() : undefined
    const { next: given } = envelope.meta
    if (data === undefined || given !== undefined || context.fence !== null)
      return [JSON.stringify(withNext(envelope, context))]
    const next = context.suggestions()
    const meta = context.metaText()
    const whole = next.length === 0 ? meta : `${meta.slice(0, -1)},"next":${JSON.stringify(next)}}`
    return ['{"ok":true,"data":', data, `,"error":null,"meta":${whole}}`]
  },
}

function withNext(envelope: Envelope, { suggestions, fence }: Context) {
  const next = suggestions()
  const whole: Envelope =
    next.length === 0 ? envelope : { ...envelope, meta: { ...envelope.meta, next } }
  if (fence === null) return whole
  const { ok, data, error, meta } = whole
  return { ok, ...fenced(data, fence), error, meta }
}
