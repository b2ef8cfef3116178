import { describe, expect, it } from 'vitest'
import { unstarted } from '../../../adapters/cli/process-runner.ts'
import { judgeOutputOf } from './judging.ts'

describe('a program that could not be started', () => {
  it.each([
    ['ENOENT', 'ADAPTER_UNSUPPORTED', false],
    ['ENOTDIR', 'ADAPTER_UNSUPPORTED', false],
    ['EACCES', 'ADAPTER_UNSUPPORTED', false],
    ['EPERM', 'ADAPTER_UNSUPPORTED', false],
    ['ENOEXEC', 'ADAPTER_UNSUPPORTED', false],
    ['E2BIG', 'TOO_LARGE', false],
    ['ERR_INVALID_ARG_VALUE', 'VALIDATION', false],
    ['EAGAIN', 'UNKNOWN', true],
    ['EMFILE', 'UNKNOWN', true],
    ['ENFILE', 'UNKNOWN', true],
    ['ENOMEM', 'UNKNOWN', true],
    ['ETXTBSY', 'UNKNOWN', true],
    ['EIO', 'UNKNOWN', false],
  ])('because of %s is %s', (code, expected, retryable) => {
    const result = unstarted({ code, message: `spawn gh ${code}` })
    expect(judgeOutputOf('gh', { result })).toMatchObject({
      failure: { code: expected, retryable, fallback: true, writeOutcome: 'not_applied' },
    })
  })
})

describe('a program that was killed', () => {
  it.each([
    ['SIGKILL', true],
    ['SIGTERM', true],
    ['SIGHUP', true],
    ['SIGPIPE', true],
    ['SIGSEGV', false],
    ['SIGBUS', false],
    ['SIGABRT', false],
    ['SIGILL', false],
  ])('by %s leaves the write outcome unknown', (signal, retryable) => {
    expect(judgeOutputOf('gh', { result: { signal, stdout: Buffer.from('{"a":') } })).toMatchObject(
      {
        failure: { code: 'UNKNOWN', retryable, fallback: true, writeOutcome: 'unknown' },
      },
    )
  })

  it.each([
    ['deadline', 'TIMEOUT', true, true],
    ['cancelled', 'CANCELLED', false, false],
    ['output_limit', 'TOO_LARGE', false, true],
  ] as const)('by the gateway (%s) is %s', (killedBy, code, retryable, fallback) => {
    const result = { killedBy, signal: 'SIGTERM' }
    expect(judgeOutputOf('gh', { result })).toMatchObject({
      failure: { code, retryable, fallback, writeOutcome: 'unknown' },
    })
  })
})
