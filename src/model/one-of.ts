import { Type } from '@sinclair/typebox'

/** A string out of a closed set. An enum, not a union: its validation error then names the allowed values. */
export function OneOf<const T extends string>(values: readonly T[], description?: string) {
  return Type.Unsafe<T>({
    type: 'string',
    enum: [...values],
    ...(description === undefined ? {} : { description }),
  })
}
