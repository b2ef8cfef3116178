import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../sandbox/index.ts'
import { SIGNALBOX, signalbox, temporaryDirectory } from '../commands/support/signalbox.ts'
import { githubEnv } from '../support/github.ts'

// Each test starts whole processes, which are slow on a busy machine.
vi.setConfig({ testTimeout: 240_000 })

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await createSandbox()
})
beforeEach(() => sandbox.reset())
afterAll(() => sandbox.close())

/** The facts that a client of 2026 gives about itself in each request. */
const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'by-hand', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']

test.each(VERSIONS)('a client of %s cancels a read over stdio', async version => {
  await using directory = await temporaryDirectory()
  const journal = join(directory.path, 'journal.sqlite')
  const { child, send, ask } = start(journal)
  const isModern = version.startsWith('2026')
  const own = isModern ? { _meta: MODERN } : {}
  if (isModern) await ask('hello', 'server/discover', own)
  else {
    const clientInfo = { name: 'by-hand', version: '1' }
    await ask('hello', 'initialize', { protocolVersion: version, capabilities: {}, clientInfo })
    send({ method: 'notifications/initialized' })
  }
  sandbox.faults.set([{ on: {}, do: { delay_ms: 100_000 }, times: 1 }])
  const params = { name: 'call', arguments: { capability: 'viewer.view' }, ...own }
  send({ id: 'slow', method: 'tools/call', params })
  await expect.poll(() => sandbox.log.rows().length, { timeout: 60_000 }).toBe(1)
  send({ method: 'notifications/cancelled', params: { requestId: 'slow', ...own } })
  // The protocol answers no cancelled request, so that the next answer is the next one's.
  const next = await ask('next', 'tools/call', params)
  expect(next).toMatchObject({ id: 'next', result: { isError: false } })
  child.stdin.end()
  await once(child, 'close')
  const { stdout } = await signalbox(['requests', '--journal', journal, '--json'])
  const rows = JSON.parse(stdout) as { code: string | null }[]
  expect(rows.map(({ code }) => String(code)).toSorted()).toEqual(['CANCELLED', 'null'])
})

function start(journal: string) {
  const env = {
    PATH: process.env.PATH ?? '',
    ...githubEnv(sandbox.url),
    SIGNALBOX_JOURNAL: journal,
  }
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [SIGNALBOX, 'mcp'], {
    env,
    cwd: tmpdir(),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const send = (message: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const ask = async (id: string, method: string, params: object) => {
    send({ id, method, params })
    return JSON.parse((await answers.next()).value as string) as unknown
  }
  return { child, send, ask }
}
