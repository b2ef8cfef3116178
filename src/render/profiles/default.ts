import { Type } from '@sinclair/typebox'
import { FailureEnvelope, successOf } from '../../model/envelope.ts'
import { AnyObject } from '../../model/schema-parts.ts'
import type { Profile } from './profile.ts'

export const defaultProfile: Profile = {
  description: 'ok / data / error / meta, with everything that Signalbox knows.',
  schema: Type.Union([successOf(AnyObject), FailureEnvelope]),
  defaultBudget: null,
  includesTokens: false,
  render: (envelope, { suggestions }) => {
    const next = suggestions()
    return next.length === 0 ? envelope : { ...envelope, meta: { ...envelope.meta, next } }
  },
}
