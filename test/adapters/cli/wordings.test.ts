import { describe, expect, it } from 'vitest'
import { judgeOutputOf } from './judging.ts'
import { CLOUDS, GH, KUBERNETES, OTHERS, type Wording } from './wordings.ts'

describe.each([
  ['gh', GH],
  ['Kubernetes', KUBERNETES],
  ['clouds', CLOUDS],
  ['other tools', OTHERS],
])('what %s says', (_, wordings) => {
  it.each(wordings.map(wording => [titleOf(wording), wording] as const))(
    '%s',
    (_title, wording) => {
      const judgement = judgeOutputOf(wording.tool, wording, { effect: wording.effect ?? 'read' })
      expect(judgement.ok).toBe(false)
      if (judgement.ok) return
      const { code, retryable, fallback, writeOutcome, partial } = judgement.failure
      expect([code, yesNo(retryable), yesNo(fallback), writeOutcome].join(' ')).toBe(wording.means)
      expect(partial).toBe(wording.partial ?? false)
    },
  )
})

function titleOf({ tool, exit, stderr, means }: Wording): string {
  return `${tool} (${exit}) ${JSON.stringify(stderr.slice(0, 90))} is ${means}`
}

function yesNo(value: boolean): string {
  return value ? 'yes' : 'no'
}
