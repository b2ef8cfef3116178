const MOST = 3

/** The first few places where two JSON values differ. Empty if they are equal. */
export function differences(expected: unknown, actual: unknown): string[] {
  const found = [...compare(expected, actual, '')]
  const more = found.length - MOST
  return more > 0 ? [...found.slice(0, MOST), `and ${more} more`] : found
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
