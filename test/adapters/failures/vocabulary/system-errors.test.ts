import { describe, expect, test } from 'vitest'
import { errnoOfNumber, errnosIn } from '../../../../adapters/failures/vocabulary/errno.ts'
import { meaningOfCode } from '../../../../adapters/failures/vocabulary/machine-code.ts'
import { sqlStatesIn } from '../../../../adapters/failures/vocabulary/sqlstate.ts'

describe('a system error is read by its name and by its number', () => {
  test.each([
    ['[Errno 104] Connection reset by peer', 'ECONNRESET', 'NETWORK'],
    ['Connection refused (os error 111)', 'ECONNREFUSED', 'NETWORK'],
    ['[WinError 10054] An existing connection was forcibly closed', 'ECONNRESET', 'NETWORK'],
    ['WSAECONNREFUSED', 'WSAECONNREFUSED', 'NETWORK'],
    ['[Errno -3] Temporary failure in name resolution', 'EAI_AGAIN', 'NETWORK'],
    ['connect ETIMEDOUT 192.0.2.1:443', 'ETIMEDOUT', 'TIMEOUT'],
    ["EROFS: read-only file system, open 'x'", 'EROFS', 'ADAPTER_UNSUPPORTED'],
    ['write failed, errno: 28', 'ENOSPC', 'UNKNOWN'],
    ['[Errno 7] Argument list too long', 'E2BIG', 'TOO_LARGE'],
  ] as const)('%s', (text, name, code) => {
    expect(errnosIn(text, 'linux')).toEqual([name])
    expect(meaningOfCode(name)?.verdict.code).toBe(code)
  })

  test('by the numbers of this system first, then of the other', () => {
    expect(errnoOfNumber(61, 'darwin')).toBe('ECONNREFUSED')
    expect(errnoOfNumber(61, 'linux')).toBe('ECONNREFUSED')
    expect(errnoOfNumber(54, 'darwin')).toBe('ECONNRESET')
    expect(errnoOfNumber(111, 'darwin')).toBe('ECONNREFUSED')
    expect(errnoOfNumber(40, 'darwin')).toBe('EMSGSIZE')
    expect(errnoOfNumber(40, 'linux')).toBe('ELOOP')
    expect(errnoOfNumber(9999, 'linux')).toBeNull()
  })

  test.each([
    'EVERYTHING is fine',
    'an Errno of sorts',
    'repository ECONNRESET-lib',
    '[Errno 99999]',
    'issue 104',
  ])('%s shows none', text => {
    expect(errnosIn(text, 'linux')).toEqual([])
  })
})

describe('a SQLSTATE is read where it is named as such', () => {
  test.each([
    ['SQLSTATE[23505]: Unique violation: 7 ERROR', '23505', 'CONFLICT', false],
    ['could not serialize access (SQLSTATE 40001)', '40001', 'CONFLICT', true],
    ['ERROR:  40P01: deadlock detected', '40P01', 'CONFLICT', true],
    ['ERROR:  42501: permission denied for table t', '42501', 'FORBIDDEN', false],
    ['ERROR 1062 (23000): Duplicate entry', '23505', 'CONFLICT', false],
    ["ERROR 2003 (HY000): Can't connect to MySQL server", '08001', 'NETWORK', true],
    ['ERROR 2013 (HY000): Lost connection to MySQL server during query', '08007', 'NETWORK', true],
    ['ERROR 1213 (40001): Deadlock found', '40001', 'CONFLICT', true],
    ['ERROR 1045 (28000): Access denied', '28000', 'AUTH', false],
    ['FATAL:  57P03: the database system is starting up', '57P03', 'SERVER', true],
  ] as const)('%s', (text, state, code, retryable) => {
    expect(sqlStatesIn(text)).toEqual([`SQLSTATE ${state}`])
    expect(meaningOfCode(`SQLSTATE ${state}`)?.verdict).toMatchObject({ code, retryable })
  })

  test('and not in a number of five digits', () => {
    expect(sqlStatesIn('order 40001 failed; ERROR 40001')).toEqual([])
    expect(meaningOfCode('40001')).toBeNull()
  })
})
