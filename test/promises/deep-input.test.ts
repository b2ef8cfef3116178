import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { SIGNALBOX } from '../commands/support/signalbox.ts'

const ENV = {
  PATH: process.env.PATH,
  SIGNALBOX_JOURNAL: ':memory:',
  GITHUB_API_URL: 'http://127.0.0.1:1',
  GITHUB_GRAPHQL_URL: 'http://127.0.0.1:1',
  GITHUB_UPLOAD_URL: 'http://127.0.0.1:1',
}

const DEPTHS = [501, 100_000]
const INPUTS = DEPTHS.flatMap(levels => [
  [`${levels} lists`, `${'['.repeat(levels)}${']'.repeat(levels)}`] as const,
  [`${levels} objects`, `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`] as const,
])

/** Runs `signalbox call` to its end. */
async function callWith(words: readonly string[], input: string) {
  const child = spawn(process.execPath, [SIGNALBOX, 'call', 'repo.view', ...words], { env: ENV })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { envelope: JSON.parse(stdout), stderr }
}

const REFUSED = {
  ok: false,
  error: {
    code: 'VALIDATION',
    source: 'caller',
    message: expect.stringMatching(/500 levels deep/),
  },
}

test.each(INPUTS)(
  'the command line refuses %s on standard input',
  async (_, deep) => {
    for (const input of [deep, `{"owner":${deep},"name":"x"}`]) {
      const { envelope, stderr } = await callWith(['-'], input)
      expect(envelope).toMatchObject(REFUSED)
      expect(stderr).toBe('')
    }
  },
  60_000,
)

// A word of the command line has at most 128 kB, so it holds no more objects.
test.each(INPUTS.filter(([, deep]) => deep.length < 120_000))(
  'the command line refuses %s in a word',
  async (_, deep) => {
    const { envelope, stderr } = await callWith([`first=${deep}`], '')
    expect(envelope).toMatchObject(REFUSED)
    expect(stderr).toBe('')
  },
  60_000,
)

test.each(INPUTS)(
  'MCP over stdio refuses %s, and goes on',
  async (_, deep) => {
    const child = spawn(
      process.execPath,
      [SIGNALBOX, 'mcp', '--tools', 'all', '--profile', 'default'],
      { env: ENV },
    )
    onTestFinished(() => void child.kill('SIGKILL'))
    const log = text(child.stderr)
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const ask = async (id: number, method: string, params: string) => {
      child.stdin.write(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}\n`)
      const answer = JSON.parse((await lines.next()).value ?? '')
      expect(answer.id).toBe(id)
      return answer.result
    }
    const client = '{"name":"x","version":"1"}'
    await ask(
      1,
      'initialize',
      `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":${client}}`,
    )
    const calls = [
      `{"name":"repo_view","arguments":{"owner":${deep},"name":"x"}}`,
      `{"name":"repo_view","arguments":{"owner":"x","name":"x"},"_meta":{"signalbox/fields":${deep}}}`,
    ]
    for (const [index, params] of calls.entries()) {
      const { content, isError } = await ask(2 + index, 'tools/call', params)
      expect(isError).toBe(true)
      expect(JSON.parse(content[0].text)).toMatchObject(REFUSED)
    }
    // This is no message. It has no id to answer to.
    child.stdin.write(`${deep}\n`)
    expect(await ask(9, 'ping', '{}')).toEqual({})
    child.stdin.end()
    expect(await log).not.toMatch(/RangeError|"level":50/)
  },
  60_000,
)
