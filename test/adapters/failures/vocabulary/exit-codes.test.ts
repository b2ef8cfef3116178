import { describe, expect, test } from 'vitest'
import {
  answeringExitCodes,
  meaningOfExit,
} from '../../../../adapters/failures/vocabulary/exit-codes.ts'
import { RANK } from '../../../../adapters/failures/vocabulary/meaning.ts'

describe('an exit code means what its program documents', () => {
  test.each([
    ['curl', 6, 'NETWORK', true],
    ['curl', 28, 'TIMEOUT', true],
    ['curl', 52, 'NETWORK', true],
    ['curl', 60, 'NETWORK', false],
    ['curl', 3, 'VALIDATION', false],
    ['wget', 4, 'NETWORK', true],
    ['wget', 6, 'AUTH', false],
    ['rsync', 30, 'TIMEOUT', true],
    ['rsync', 12, 'NETWORK', true],
    ['psql', 2, 'NETWORK', true],
    ['sqlite3', 5, 'CONFLICT', true],
    ['sqlite3', 19, 'CONFLICT', false],
    ['ansible-playbook', 4, 'NETWORK', true],
    ['timeout', 124, 'TIMEOUT', true],
    ['make', 124, 'TIMEOUT', true],
    ['anything', 127, 'ADAPTER_UNSUPPORTED', false],
    ['anything', 126, 'ADAPTER_UNSUPPORTED', false],
    ['git', 129, 'ADAPTER_UNSUPPORTED', false],
    ['anything', 129, 'UNKNOWN', true],
    ['anything', 137, 'UNKNOWN', true],
    ['anything', 139, 'UNKNOWN', false],
    ['sendmail', 75, 'SERVER', true],
    ['sendmail', 77, 'FORBIDDEN', false],
  ] as const)('%s %i: %s', (tool, code, expected, retryable) => {
    expect(meaningOfExit(tool, code)?.verdict).toMatchObject({ code: expected, retryable })
  })

  test.each([
    ['curl', 22],
    ['wget', 8],
    ['git', 128],
    ['ssh', 255],
    ['docker', 125],
    ['sendmail', 70],
    ['anything', 130],
  ])('%s %i only says that something failed', (tool, code) => {
    expect(meaningOfExit(tool, code)?.rank).toBe(RANK.frame)
  })

  test.each([
    ['anything', 1],
    ['anything', 2],
    ['curl', 69],
    ['toString', 1],
  ])('%s %i says nothing', (tool, code) => {
    expect(meaningOfExit(tool, code)).toBeNull()
  })
})

describe('some exit codes besides zero are answers', () => {
  test.each([
    ['grep', ['-r', 'x'], [1]],
    ['diff', [], [1]],
    ['git', ['diff', '--exit-code'], [1]],
    ['git', ['-C', 'x', 'grep', 'word'], [1]],
    ['git', ['push'], []],
    ['git', ['diff'], []],
    ['git', ['commit', '--message=x diff --exit-code'], []],
    ['git', ['diff', '--', '--exit-code'], []],
    ['kubectl', ['diff', '-f', 'x'], [1]],
    ['terraform', ['plan', '-detailed-exitcode'], [2]],
    ['terraform', ['plan'], []],
  ])('%s %j: %j', (tool, args, expected) => {
    expect(answeringExitCodes(tool, args)).toEqual(expected)
  })
})
