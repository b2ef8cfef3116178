import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { judgeOutputOf } from './judging.ts'

interface Wording {
  readonly tool: string
  readonly exit: number
  readonly stderr: string
  readonly stdout?: string
  readonly effect?: 'read' | 'write'
  readonly means: string
  readonly partial?: boolean
}

const wordings = load(readFileSync(new URL('wordings.yaml', import.meta.url), 'utf8')) as Record<
  string,
  Wording[]
>

describe.each(Object.entries(wordings))('error messages of %s tools', (_, list) => {
  it.each(list.map(wording => [titleOf(wording), wording] as const))('%s', (_title, wording) => {
    const judgement = judgeOutputOf(wording.tool, wording, { effect: wording.effect ?? 'read' })
    if (judgement.ok) throw new Error('taken for a success')
    const { code, retryable, fallback, writeOutcome, partial } = judgement.failure
    expect([code, yesNo(retryable), yesNo(fallback), writeOutcome].join(' ')).toBe(wording.means)
    expect(partial).toBe(wording.partial ?? false)
  })
})

function titleOf({ tool, exit, stderr, means }: Wording): string {
  return `${tool} (${exit}) ${JSON.stringify(stderr.slice(0, 90))} is ${means}`
}

function yesNo(value: boolean): string {
  return value ? 'yes' : 'no'
}
