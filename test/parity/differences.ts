const MOST = 3

/** The first few places where two JSON values differ. Empty if they are equal. */
export function differences(expected: unknown, actual: unknown): string[] {
  if (isEqual(expected, actual)) return []
  const found = [...compare(expected, actual, '')]
  const more = found.length - MOST
  return more > 0 ? [...found.slice(0, MOST), `and ${more} more`] : found
}

/** Most states are equal: find that out without a name for each place. */
function isEqual(expected: unknown, actual: unknown): boolean {
  if (Object.is(expected, actual)) return true
  if (!isComposite(expected) || !isComposite(actual)) return false
  if (isList(expected) !== isList(actual)) return false
  const keys = Object.keys(expected)
  if (keys.length !== Object.keys(actual).length) return false
  return keys.every(key => key in actual && isEqual(expected[key], actual[key]))
}

function* compare(expected: unknown, actual: unknown, path: string): Generator<string> {
  if (Object.is(expected, actual)) return
  if (!isComposite(expected) || !isComposite(actual) || isList(expected) !== isList(actual)) {
    yield `${path || 'the whole value'}: ${show(actual)} instead of ${show(expected)}`
    return
  }
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    yield* compare(expected[key], actual[key], path ? `${path}.${key}` : key)
  }
}

function isComposite(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object'
}

function isList(value: object): boolean {
  return Array.isArray(value)
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
