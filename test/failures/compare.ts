import type { ActualOutcome, Expected } from './case.ts'

/** The differences between expected and actual outcome, one line each; empty if it is right. */
export function differences(expected: Expected, actual: ActualOutcome): string[] {
  const found = [...leaks(expected, actual)]
  const okIsRight = actual.ok === expected.ok || (actual.ok && expected.accept_ok === true)
  if (isAcceptedOtherwise(expected, actual)) return found
  if (!okIsRight) found.push(`ok: expected ${expected.ok}, got ${actual.ok} ${actual.code ?? ''}`)
  const compare = <T extends string | boolean | null>(
    name: string,
    wanted: T,
    got: T,
    others: readonly T[] = [],
  ) => {
    if (got === wanted || others.includes(got)) return
    const also = others.length > 0 ? ` (or ${others.join(', ')})` : ''
    found.push(`${name}: expected ${String(wanted)}${also}, got ${String(got)}`)
  }
  compare('code', expected.code, actual.code, expected.accept_codes)
  if (expected.base_code !== undefined && actual.code === expected.code) {
    compare('base_code', expected.base_code, actual.baseCode ?? '')
  }
  compare('retryable', expected.retryable, actual.retryable, expected.accept_retryable)
  compare('fallback', expected.fallback, actual.fallback, expected.accept_fallback)
  compare(
    'write_outcome',
    expected.write_outcome,
    actual.writeOutcome,
    expected.accept_write_outcome,
  )
  compare('partial', expected.partial ?? false, actual.partial)
  return [...found, ...waitDifferences(expected, actual)]
}

/** Whether the outcome is the other accepted answer of an ambiguous case, whose details the case omits. */
function isAcceptedOtherwise(expected: Expected, actual: ActualOutcome): boolean {
  if (expected.ok === actual.ok) return false
  if (actual.ok) return expected.accept_ok === true
  return actual.code !== null && (expected.accept_codes ?? []).includes(actual.code)
}

function* leaks({ redact }: Expected, { shown }: ActualOutcome): Generator<string> {
  if (redact !== undefined && shown.includes(redact)) yield `shows ${redact}`
}

function* waitDifferences(expected: Expected, actual: ActualOutcome): Generator<string> {
  const { retry_after_s: wanted, accept_retry_after: accept } = expected
  if (wanted === undefined || accept === 'any' || !actual.retryable) return
  const tolerance = expected.retry_after_tolerance_s ?? 1
  const got = actual.retryAfterS
  if (got === null || Math.abs(got - wanted) > tolerance) {
    yield `retry_after_s: expected ${wanted} ± ${tolerance}, got ${got}`
  }
  if (
    expected.retry_after_source !== undefined &&
    actual.retryAfterSource !== expected.retry_after_source
  ) {
    yield `retry_after_source: expected ${expected.retry_after_source}, got ${actual.retryAfterSource}`
  }
}
