import type { RestCall } from './call.ts'
import { validationFailed } from './errors.ts'

/** A query parameter with a fixed set of values, of which the first is the default. */
export function choiceIn<Value extends string>(
  query: RestCall['query'],
  resource: string,
  field: string,
  values: readonly [Value, ...Value[]],
): Value {
  const wanted = query[field]
  if (wanted === undefined) return values[0]
  const value = values.find(it => it === wanted)
  if (value !== undefined) return value
  throw validationFailed({ resource, field, code: 'invalid', value: wanted })
}
