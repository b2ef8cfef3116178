import { describe, expect, it } from 'vitest'
import { judgeOutputOf } from './judging.ts'

const REFUSAL = JSON.stringify({
  success: false,
  error: { code: 'SEAT_LIMIT', message: 'No seats left.' },
})

describe('an error document of a program that exits with 0', () => {
  it('is a failure with the words of the service', () => {
    expect(judgeOutputOf('tool', { exit: 0, stdout: REFUSAL })).toMatchObject({
      ok: false,
      failure: { code: 'FORBIDDEN', message: 'No seats left.', retryable: false },
    })
  })

  it('proves that a change was refused only if the program makes one request', () => {
    const outcomeOf = (oneRequest: boolean) =>
      judgeOutputOf('tool', { exit: 0, stdout: REFUSAL }, { effect: 'write', oneRequest })
    expect(outcomeOf(true)).toMatchObject({ failure: { writeOutcome: 'not_applied' } })
    expect(outcomeOf(false)).toMatchObject({ failure: { writeOutcome: 'unknown' } })
  })

  it('is data where the card asks for it, or reads text', () => {
    const asked = new Set(['success', 'error'])
    expect(judgeOutputOf('tool', { exit: 0, stdout: REFUSAL }, { asked })).toMatchObject({
      ok: true,
    })
    expect(judgeOutputOf('tool', { exit: 0, stdout: REFUSAL }, { format: 'text' })).toMatchObject({
      ok: true,
    })
  })
})
