import { describe, expect, it } from 'vitest'
import { decide } from '../../../adapters/failures/decide.ts'
import { PHRASES } from '../../../adapters/failures/phrases/table.ts'
import { type Signals, signal } from '../../../adapters/failures/signals.ts'
import { verdict } from '../../../adapters/failures/verdict.ts'
import { RANK } from '../../../adapters/failures/vocabulary/meaning.ts'

interface Said {
  readonly status?: number
  readonly codes?: readonly string[]
  readonly exit?: Signals['exit']
  readonly messages?: readonly string[]
}

function codeOf({ status, codes = [], exit = null, messages = [] }: Said): string {
  return decide({
    status: status === undefined ? null : signal(status, 'status line'),
    headers: {},
    codes: codes.map(code => signal(code, 'body')),
    exit,
    messages,
  }).code
}

const EXIT_TIMEOUT = { verdict: verdict('TIMEOUT'), rank: RANK.exact }

describe('one ranked decision', () => {
  it.each<[string, Said, string]>([
    [
      'a specific code refines an open status',
      { status: 400, codes: ['ThrottlingException'] },
      'RATE_LIMIT',
    ],
    [
      'a code clarifies an exact status and does not override it',
      { status: 404, codes: ['AccessDenied'] },
      'NOT_FOUND',
    ],
    [
      'words do not beat an exact status',
      { status: 404, messages: ['rate limit exceeded'] },
      'NOT_FOUND',
    ],
    [
      'words split a status that leaves them open',
      { status: 403, messages: ['rate limit exceeded'] },
      'RATE_LIMIT',
    ],
    ['a status beats the exit code', { status: 409, exit: EXIT_TIMEOUT }, 'CONFLICT'],
    [
      'a specific code beats the exit code',
      { codes: ['ECONNREFUSED'], exit: EXIT_TIMEOUT },
      'NETWORK',
    ],
    ['the exit code beats words', { exit: EXIT_TIMEOUT, messages: ['not found'] }, 'TIMEOUT'],
    [
      'words beat a frame code',
      { codes: ['INTERNAL'], messages: ['connection refused'] },
      'NETWORK',
    ],
    ['a frame is better than nothing', { codes: ['INTERNAL'] }, 'SERVER'],
    [
      'the most specific phrase wins, not the first',
      { messages: ['could not connect: x509: unknown authority: not found'] },
      'NETWORK',
    ],
    [
      'a frame of words counts last',
      { messages: ['something went wrong: name already exists'] },
      'CONFLICT',
    ],
    [
      'a refusal that names a time to come back is a limit',
      { messages: ['Please try again in 3593 seconds'] },
      'RATE_LIMIT',
    ],
    [
      'a quota of things is no rate limit',
      { status: 403, messages: ['storage quota exceeded'] },
      'FORBIDDEN',
    ],
    [
      'a refusal of a header that the gateway adds is its own',
      { status: 400, messages: ['Notion-Version header should be defined'] },
      'ADAPTER_UNSUPPORTED',
    ],
  ])('%s', (_, said, code) => {
    expect(codeOf(said)).toBe(code)
  })

  it('has fewer phrases than the three tables before it, each group with its source', () => {
    expect(PHRASES.flatMap(({ phrases }) => phrases).length).toBeLessThan(185)
    expect(PHRASES.filter(({ source }) => source === '')).toEqual([])
  })
})
