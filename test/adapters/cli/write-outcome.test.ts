import { describe, expect, it } from 'vitest'
import { LAST_WORDS } from '../../support/last-words.ts'
import { judgeOutputOf } from './judging.ts'

describe('the outcome of a write by a program that may send several requests', () => {
  it.each(LAST_WORDS)('is not decided by its last words: %s', words => {
    for (const exit of [1, 4, 7, 28, 126, 127, 130, 255]) {
      const judgement = judgeOutputOf('mytool', { exit, stderr: words }, { effect: 'write' })
      if (judgement.ok) throw new Error('taken for a success')
      expect(judgement.failure.writeOutcome).toBe('unknown')
    }
  })

  it('is told by the answer that it printed with parse: http', () => {
    const stdout = 'HTTP/2.0 422 Unprocessable Entity\r\n\r\n{"message":"Validation Failed"}'
    const run = { effect: 'write', format: 'http' } as const
    expect(judgeOutputOf('mytool', { exit: 1, stdout }, run)).toMatchObject({
      failure: { code: 'VALIDATION', writeOutcome: 'not_applied' },
    })
  })

  it('is told by its report if the card says one_request', () => {
    const stderr = 'dial tcp 127.0.0.1:443: connect: connection refused'
    const run = { effect: 'write', oneRequest: true } as const
    expect(judgeOutputOf('mytool', { exit: 1, stderr }, run)).toMatchObject({
      failure: { code: 'NETWORK', writeOutcome: 'not_applied' },
    })
  })

  it.each([
    ['gh', 1, 'unknown flag: --foo\n\nUsage:  gh issue create [flags]\n', 'not_applied'],
    [
      'kubectl',
      1,
      "error: unknown flag: --foo\nSee 'kubectl create --help' for usage.\n",
      'not_applied',
    ],
    ['aws', 252, 'usage: aws [options]\n\naws: error: Unknown options: --foo\n', 'not_applied'],
    ['git', 129, "error: unknown option `foo'\nusage: git push [<options>]\n", 'not_applied'],
    ['curl', 2, 'curl: option --foo: is unknown\n', 'not_applied'],
    // The exit code alone, the words alone, and a tool of which nothing is known.
    ['curl', 2, 'curl: (2) failed\n', 'unknown'],
    ['gh', 1, 'unknown flag: --foo\n', 'unknown'],
    ['mytool', 2, 'usage: mytool [-h]\nmytool: error: unrecognized arguments: --foo\n', 'unknown'],
  ])('%s that exits with %i after %j is %s', (tool, exit, stderr, outcome) => {
    expect(judgeOutputOf(tool, { exit, stderr }, { effect: 'write' })).toMatchObject({
      failure: { writeOutcome: outcome },
    })
  })
})
