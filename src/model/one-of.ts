import { Type } from '@sinclair/typebox'

/** A string of a closed set. An enum, not a union: validation errors then name the allowed values. */
export function OneOf<const T extends string>(values: readonly T[], description?: string) {
  return Type.Unsafe<T>({
    type: 'string',
    enum: [...values],
    ...(description === undefined ? {} : { description }),
  })
}
