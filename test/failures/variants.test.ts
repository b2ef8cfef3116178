import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { type ActualOutcome, COMPARED_BY_TEST, type FailureCase, type Observed } from './case.ts'
import { runHttpCase } from './run-http.ts'

/** A failure in short form; the YAML files explain it. */
interface Variant {
  readonly name: string
  readonly expect: string
  readonly upstream?: string
  readonly operation?: 'read' | 'write'
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly text?: string
}

describe.each(['rest', 'graphql'] as const)(
  '%s failures in shapes that the corpus does not have',
  route => {
    test.each(readVariants(route))('$name', async variant => {
      const outcome = await replay(route, variant)
      expect(inShort(outcome, variant.expect.includes('wait='))).toBe(variant.expect)
    })
  },
)

function readVariants(route: string): Variant[] {
  const file = new URL(`../cases/${route}-variants.yaml`, import.meta.url)
  return load(readFileSync(file, 'utf8')) as Variant[]
}

async function replay(route: FailureCase['route'], variant: Variant): Promise<ActualOutcome> {
  const { name, upstream = 'generic-http', operation = 'read', status = 200, body, text } = variant
  const observed: Observed = {
    operation,
    method: operation === 'write' ? 'POST' : 'GET',
    status,
    headers: { ...contentType(text), ...variant.headers },
    now_epoch: 1_700_000_000,
    ...(text === undefined ? { body } : { body_text: text }),
  }
  const [outcome] = await runHttpCase({
    id: name,
    kind: 'variant',
    route,
    upstream,
    observed,
    expect: COMPARED_BY_TEST,
  })
  if (!outcome) throw new Error('an HTTP case has an outcome')
  return outcome
}

function inShort(outcome: ActualOutcome, withWait: boolean): string {
  const { ok, code, retryable, fallback, partial, writeOutcome, retryAfterS } = outcome
  return [
    ok ? 'ok' : code,
    retryable && 'retry',
    fallback && 'fallback',
    partial && 'partial',
    !ok && writeOutcome !== 'not_applied' && writeOutcome,
    withWait && `wait=${retryAfterS}`,
  ]
    .filter(Boolean)
    .join(' ')
}

function contentType(text: string | undefined): Record<string, string> {
  if (text === undefined) return { 'content-type': 'application/json' }
  return { 'content-type': text.startsWith('<') ? 'text/html' : 'text/plain' }
}
