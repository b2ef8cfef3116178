/**
 * An input that was not given is null to an expression. To the upstream it should be absent, since null
 * may mean "clear this": an object without its null members; anything else as it is.
 */
export function withoutNulls(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
}
