import { describe, expect, it } from 'vitest'
import { readOutput } from '../../../adapters/cli/parse-output.ts'
import { judgeOutputOf, TOKEN } from './judging.ts'

describe('output is read', () => {
  it.each([
    ['JSON', 'json', ' {"a": [1]}\n', { a: [1] }],
    ['JSON in colour', 'json', '\u001b[1;38m{\u001b[m"a":\u001b[32m"b"\u001b[m}\n', { a: 'b' }],
    ['concatenated pages of JSON', 'json', '[{"a":"]"}]\n[2]', [{ a: ']' }, 2]],
    [
      'a document on each line, although the card says JSON',
      'json',
      '{"a":1}\n{"a":2}\n',
      [{ a: 1 }, { a: 2 }],
    ],
    ['nothing', 'json', '\n', null],
    ['a document on each line', 'ndjson', '{"a":1}\n\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
    ['a table', 'csv', 'a,b\n1,"x\ny"\n', [{ a: '1', b: 'x\ny' }]],
    ['lines', 'lines', 'one\r\ntwo\n', ['one', 'two']],
    ['text', 'text', ' as it is\n', ' as it is\n'],
  ] as const)('%s', (_, format, text, body) => {
    expect(readOutput(Buffer.from(text), format)).toEqual({ body, status: null, headers: {} })
  })

  it.each([
    ['with Windows line ends', 'HTTP/2.0 200 OK\r\nEtag: "x"\r\nX-A: b: c\r\n\r\n{"a":1}'],
    ['with a bare status line', 'HTTP/2.0 200 OK\nEtag: "x"\r\nX-A: b: c\r\n\r\n{"a":1}'],
  ])('as HTTP %s', (_, text) => {
    expect(readOutput(Buffer.from(text), 'http')).toEqual({
      body: { a: 1 },
      status: 200,
      headers: { etag: '"x"', 'x-a': 'b: c' },
    })
  })

  it('as a table in the form that the card declares', () => {
    const printed = { exit: 0, stdout: 'x\t9007199254740993\n', stderr: '' }
    const csv = { delimiter: '\t', columns: ['name', 'n'] }
    const judged = judgeOutputOf('sqlite3', printed, { format: 'csv', csv })
    expect(judged).toMatchObject({ output: { body: [{ name: 'x', n: '9007199254740993' }] } })
    const cut = judgeOutputOf('sqlite3', { ...printed, stdout: 'a,"b' }, { format: 'csv' })
    expect(cut).toMatchObject({ ok: false, failure: { code: 'OUTPUT_INVALID' } })
  })

  it('as a table only up to the size that the upstream allows', () => {
    const printed = { exit: 0, stdout: `a\n${'1\n'.repeat(50)}`, stderr: '' }
    const judge = (maxParsedBytes: number, format: 'csv' | 'lines' = 'csv') =>
      judgeOutputOf('sqlite3', printed, { format, maxParsedBytes })
    expect(judge(102)).toMatchObject({ ok: true })
    expect(judge(101, 'lines')).toMatchObject({ ok: true })
    const failure = { code: 'TOO_LARGE', writeOutcome: 'applied' }
    expect(judge(101)).toMatchObject({ ok: false, failure })
  })

  it('as HTTP without a body', () => {
    const text = 'HTTP/2.0 204 No Content\r\nDate: today\r\n\r\n'
    expect(readOutput(Buffer.from(text), 'http')).toMatchObject({ body: null, status: 204 })
  })
})

describe('a status that the card accepts', () => {
  const printed = {
    exit: 1,
    stdout: 'HTTP/2.0 404 Not Found\r\nDate: today\r\n\r\n{"message":"Label does not exist"}',
    stderr: 'gh: Label does not exist (HTTP 404)\n',
  }

  it('is a success with any exit code', () => {
    const judged = judgeOutputOf('gh', printed, { format: 'http', accept: [404] })
    const body = { message: 'Label does not exist' }
    expect(judged).toMatchObject({ ok: true, output: { status: 404, body } })
  })

  it('is a failure if the card does not list it', () => {
    const judged = judgeOutputOf('gh', printed, { format: 'http', accept: [409] })
    expect(judged).toMatchObject({ ok: false, failure: { code: 'NOT_FOUND' } })
  })
})

describe('a success', () => {
  it.each([
    ['in two objects', '{"a":1}{"b":2}', 'applied'],
    ['that is cut off', '[{"a":1},{"b', 'applied'],
    ['after progress', 'Fetching... done\n{"a":1}\n', 'applied'],
    ['that is a web page', '<!DOCTYPE html><html>login</html>', 'unknown'],
    ['that is empty for a read', '', 'unknown'],
  ])('%s is OUTPUT_INVALID', (_, stdout, writeOutcome) => {
    expect(judgeOutputOf('tool', { exit: 0, stdout })).toMatchObject({
      failure: { code: 'OUTPUT_INVALID', fallback: true, writeOutcome },
    })
  })

  it('that is empty for a write is a success', () => {
    expect(judgeOutputOf('tool', { exit: 0 }, { effect: 'write' })).toMatchObject({ ok: true })
  })

  it('stays a success with a warning on stderr that is not UTF-8', () => {
    const result = {
      stdout: Buffer.from('{"title":"café"}'),
      stderr: Buffer.from('Warning: caf\xe9\n', 'latin1'),
    }
    expect(judgeOutputOf('tool', { exit: 0, result })).toMatchObject({
      ok: true,
      output: { body: { title: 'café' } },
    })
  })

  it('by exit code is a failure if its HTTP status says so', () => {
    const stdout = 'HTTP/2.0 422 Unprocessable\r\nX: y\r\n\r\n{"message":"Validation Failed"}'
    expect(judgeOutputOf('tool', { exit: 0, stdout }, { format: 'http' })).toMatchObject({
      failure: { code: 'VALIDATION', message: 'tool answered 422: Validation Failed' },
    })
  })

  it('with status 202 is a result for a write, and NOT_READY for a read', () => {
    const stdout = 'HTTP/2.0 202 Accepted\r\nX: y\r\n\r\n{}'
    const read = judgeOutputOf('tool', { exit: 0, stdout }, { format: 'http' })
    expect(read).toMatchObject({ failure: { code: 'NOT_READY', retryable: true } })
    const write = judgeOutputOf('tool', { exit: 0, stdout }, { format: 'http', effect: 'write' })
    expect(write).toMatchObject({ ok: true, output: { status: 202 } })
  })
})

describe('a message', () => {
  it('is the first relevant line of stderr', () => {
    const stderr =
      'W1127 22:19:44.809990 24310 x.go:1] noise\nError: no such thing\nUsage: x [flags]'
    expect(messageOf(stderr)).toBe('Error: no such thing')
  })

  it('contains no credential, and nothing that looks like one', () => {
    const message = messageOf(`error: ${TOKEN} and ghp_${'a'.repeat(36)} were refused`)
    expect(message).toMatch(/: error: \[redacted\] and \[redacted\] were refused$/)
  })

  it('is shortened at a code point', () => {
    const message = messageOf(`error: ${'🚂'.repeat(400)}`)
    expect(message.length).toBeLessThanOrEqual(300)
    expect(message.isWellFormed()).toBe(true)
  })

  it('names the exit code of a failure that the gateway does not understand, for a rule', () => {
    const judged = (exit: number, stderr: string) => judgeOutputOf('tool', { exit, stderr })
    expect(judged(3, 'the crane is silent')).toMatchObject({
      failure: { code: 'UNKNOWN', message: 'tool exited with code 3: the crane is silent' },
    })
    expect(judged(3, 'part A1 not found')).toMatchObject({
      failure: { code: 'NOT_FOUND', message: 'part A1 not found' },
    })
  })

  it('says that the program gave no explanation', () => {
    expect(messageOf('')).toBe('tool exited with code 1 and no explanation.')
  })
})

describe('words of the caller', () => {
  it.each([
    ['as a title', 'X Pull request #7 (API rate limit exceeded) is not mergeable', 'CONFLICT'],
    ['unquoted', 'cannot edit context deadline exceeded: already exists', 'CONFLICT'],
  ])('%s do not decide the code', (_, stderr, code) => {
    const input = { title: 'context deadline exceeded', labels: ['API rate limit exceeded'] }
    const judgement = judgeOutputOf('gh', { exit: 1, stderr }, { input })
    expect(judgement).toMatchObject({ failure: { code } })
  })
})

function messageOf(stderr: string): string {
  const judgement = judgeOutputOf('tool', { exit: 1, stderr })
  if (judgement.ok) throw new Error('taken for a success')
  return judgement.failure.message
}
