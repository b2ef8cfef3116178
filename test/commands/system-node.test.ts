import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../sandbox/index.ts'
import { STOP_SIGNALS } from '../../src/lib/close-on-signal.ts'
import { root } from '../docs/pages.ts'
import { githubEnv } from '../support/github.ts'

// Each test starts whole processes, which are slow on a busy machine.
vi.setConfig({ testTimeout: 240_000 })

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await createSandbox()
})
afterAll(() => sandbox.close())

/** The programs of the system, without those of the checkout. */
const path = (process.env.PATH ?? '')
  .split(delimiter)
  .filter(folder => !folder.includes('node_modules'))
  .join(delimiter)

const systemNode = path
  .split(delimiter)
  .map(folder => join(folder, 'node'))
  .find(file => existsSync(file))
const systemVersion =
  systemNode === undefined ? '' : execFileSync(systemNode, ['--version'], { encoding: 'utf8' })
const isOld = systemNode !== undefined && Number.parseInt(systemVersion.slice(1), 10) < 24

/** The configuration over stdio, as the page shows it. */
function configuration(): { readonly command: string; readonly args: readonly string[] } {
  const page = readFileSync(join(root, 'docs/mcp.md'), 'utf8')
  const [json = ''] = /\{ "mcpServers": \{ "signalbox": \{ "command"[^`]+/.exec(page) ?? []
  return JSON.parse(json).mcpServers.signalbox
}

test.skipIf(systemNode === undefined)(
  'the configuration of the page starts a gateway from another folder, with the Node of the system',
  async () => {
    const { command, args } = configuration()
    const client = new Client({ name: 'tester', version: '1.2.3' })
    const transport = new StdioClientTransport({
      command,
      args: args.map(word => (word === '/path/to/signalbox' ? root : word)),
      env: { PATH: path, HOME: tmpdir(), ...githubEnv(sandbox.url) },
      cwd: tmpdir(),
      stderr: 'ignore',
    })
    await client.connect(transport)
    onTestFinished(() => client.close())
    const { tools } = await client.listTools()
    expect(tools).toHaveLength(5)
    const args_ = { capability: 'viewer.view' }
    const { content } = await client.callTool({ name: 'call', arguments: args_ })
    expect(JSON.parse((content as { text: string }[])[0]?.text ?? '')).toMatchObject({ ok: true })
  },
)

const BIN = join(root, 'bin/signalbox.js')
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'by-hand', version: '1' },
  },
}

test.skipIf(!isOld).each(STOP_SIGNALS)('%s reaches the gateway of an older Node', async signal => {
  const env = { PATH: path, HOME: tmpdir(), ...githubEnv(sandbox.url) }
  const child = spawn(systemNode ?? '', [BIN, 'mcp'], { env, cwd: tmpdir() })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`)
  await once(child.stdout, 'data')
  child.kill(signal)
  expect(await once(child, 'exit')).toEqual([0, null])
})

test.skipIf(!isOld)('an older Node passes arguments and the exit code on', () => {
  const env = { PATH: path, HOME: tmpdir() }
  const run = () =>
    execFileSync(systemNode ?? '', [BIN, 'mcp', '--nonsense'], { env, stdio: 'pipe' })
  expect(run).toThrow(/unknown option '--nonsense'/)
})
