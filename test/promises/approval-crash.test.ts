import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox } from '../../sandbox/index.ts'
import { signalbox, temporaryDirectory } from '../commands/support/signalbox.ts'
import { githubEnv } from '../support/github.ts'
import { startGatewayProcess } from '../support/process.ts'

// Each test starts two processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const ISSUE = { owner: 'octo-org', name: 'hello-world', title: 'Once or not at all' }
const headers = {
  'content-type': 'application/json',
  authorization: 'Bearer agent-secret-0123456789',
}

/** A gateway whose agent needs an approval for every change, and the means to kill it. */
async function startGateway() {
  const directory = await temporaryDirectory()
  const sandbox = await createSandbox()
  onTestFinished(async () => {
    await sandbox.close()
    await directory[Symbol.asyncDispose]()
  })
  const config = join(directory.path, 'signalbox.yaml')
  const agent = { name: 'agent', secret: 'agent-secret-0123456789', approve: ['write:*'] }
  await writeFile(config, JSON.stringify({ keys: [agent] }))
  const env = {
    ...githubEnv(sandbox.url),
    SIGNALBOX_CONFIG: config,
    SIGNALBOX_JOURNAL: join(directory.path, 'journal.sqlite'),
  }
  let gateway = await startGatewayProcess(env)
  onTestFinished(async () => void (await gateway.end('SIGKILL')))
  return {
    sandbox,
    create: async (more: Record<string, string> = {}) => {
      const url = `${gateway.url}/v1/capabilities/issue.create?route=rest`
      const init = { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(ISSUE) }
      // oxlint-disable-next-line typescript/no-explicit-any -- successes and failures
      return (await (await fetch(url, init)).json()) as any
    },
    /** Decides as the person at the machine does. */
    approve: (id: string) =>
      signalbox(['approvals', 'approve', id], { ...env, PATH: process.env.PATH ?? '' }),
    kill: async () => {
      await gateway.end('SIGKILL')
      gateway = await startGatewayProcess(env)
    },
  }
}

const posts = (sandbox: Awaited<ReturnType<typeof startGateway>>['sandbox']) =>
  sandbox.log.rows().filter(({ method, path }) => method === 'POST' && path.endsWith('/issues'))

test('an approval outlives the gateway, and lets the call run once', async () => {
  const { create, approve, kill, sandbox } = await startGateway()
  const asked = await create()
  expect(asked.error.code).toBe('APPROVAL_REQUIRED')
  await kill()
  const { code, stderr } = await approve(asked.error.next.approval_id)
  expect({ code, stderr }).toMatchObject({ code: 0 })
  await kill()
  expect((await create()).ok).toBe(true)
  expect((await create()).error.code).toBe('APPROVAL_REQUIRED')
  expect(posts(sandbox)).toHaveLength(1)
})

test.each([
  ['without an Idempotency-Key', {}],
  ['with one', { 'idempotency-key': 'key-1' }],
])('a call that was running at a kill -9 does not run again, %s', async (_how, more) => {
  const { create, approve, kill, sandbox } = await startGateway()
  const asked = await create(more)
  await approve(asked.error.next.approval_id)
  sandbox.faults.set([{ on: { method: 'POST' }, do: { hang: true } }])
  const cut = create(more).catch(() => 'cut off')
  await expect.poll(() => posts(sandbox).length, { timeout: 20_000 }).toBe(1)
  await kill()
  expect(await cut).toBe('cut off')
  sandbox.faults.clear()
  const again = await create(more)
  expect(again.ok).toBe(false)
  expect(again.error.code).not.toBe('AUTH')
  expect(posts(sandbox)).toHaveLength(1)
})
