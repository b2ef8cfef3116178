import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox } from '../../sandbox/index.ts'
import { signalbox, temporaryDirectory } from '../commands/support/signalbox.ts'
import { githubEnv } from '../support/github.ts'
import { startGatewayProcess } from '../support/process.ts'

// Each test starts several processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const ISSUE = { owner: 'octo-org', name: 'hello-world', title: 'Asked for' }
const SECRET = 'agent-secret-0123456789'
const headers = { 'content-type': 'application/json', authorization: `Bearer ${SECRET}` }

/** A gateway in a process, whose agent needs an approval for every change. */
async function startGateway() {
  const directory = await temporaryDirectory()
  const sandbox = await createSandbox()
  const config = join(directory.path, 'signalbox.yaml')
  await writeFile(
    config,
    JSON.stringify({ keys: [{ name: 'agent', secret: SECRET, approve: ['write:*'] }] }),
  )
  const journal = join(directory.path, 'journal.sqlite')
  const env = { ...githubEnv(sandbox.url), SIGNALBOX_CONFIG: config, SIGNALBOX_JOURNAL: journal }
  const gateway = await startGatewayProcess(env)
  onTestFinished(async () => {
    const { exitCode, signalCode } = gateway.child
    if (exitCode === null && signalCode === null) await gateway.end('SIGKILL')
    await sandbox.close()
    await directory[Symbol.asyncDispose]()
  })
  return {
    gateway,
    journal,
    file: join(directory.path, 'audit.jsonl'),
    create: async () => {
      const url = `${gateway.url}/v1/capabilities/issue.create`
      const init = { method: 'POST', headers, body: JSON.stringify(ISSUE) }
      const body = (await (await fetch(url, init)).json()) as {
        error: { next: { approval_id: string } }
      }
      return body.error.next.approval_id
    },
    audit: (...words: string[]) => signalbox(['audit', ...words], env),
    decide: (...words: string[]) => signalbox(['approvals', ...words], env),
  }
}

test('a kill -9 loses no decision on an approval, and breaks no chain', async () => {
  const { gateway, create, audit, decide } = await startGateway()
  const id = await create()
  await gateway.end('SIGKILL')
  expect((await decide('approve', id, '--note', 'Later.')).code).toBe(0)
  const { stdout } = await audit('--subject', id, '--json')
  expect(JSON.parse(stdout)).toMatchObject([
    { action: 'approval.approved', actor: expect.stringMatching(/@localhost$/), reason: 'Later.' },
    { action: 'approval.asked', actor: 'agent' },
  ])
  const verified = await audit('verify')
  expect(verified).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ok {4}\d+ records, 1 to /),
  })
})

test('verify checks the database and an export, while the gateway runs', async () => {
  const { create, audit, journal, file } = await startGateway()
  await create()
  const sound = await audit('verify')
  const [, head = ''] = /head (\d+:[0-9a-f]{64})/.exec(sound.stdout) ?? []
  expect({ code: sound.code, head }).toEqual({ code: 0, head: expect.stringContaining(':') })
  await writeFile(file, (await audit('export')).stdout)
  expect(await audit('verify', file, '--head', head)).toMatchObject({ code: 0 })

  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  await writeFile(file, [...lines.slice(0, 1), ...lines.slice(2)].join('\n'))
  const gap = await audit('verify', file)
  expect(gap).toMatchObject({ code: 1, stdout: expect.stringContaining('record 2 is missing') })
  await writeFile(file, lines.slice(0, -1).join('\n'))
  expect((await audit('verify', file)).code).toBe(0)
  expect((await audit('verify', file, '--head', head)).code).toBe(1)

  const db = new DatabaseSync(journal, { timeout: 5_000 })
  db.exec("UPDATE audit SET actor = 'somebody' WHERE action = 'approval.asked'")
  db.close()
  const changed = await audit('verify', '--json')
  expect(changed.code).toBe(1)
  expect(JSON.parse(changed.stdout)).toMatchObject({
    ok: false,
    faults: [{ message: expect.stringContaining('was changed') }],
  })
  expect((await audit('verify', '--head', 'nonsense')).stderr).toContain('must be NUMBER:HASH')
})

test('verify finds no journal rather than an empty one', async () => {
  const directory = await temporaryDirectory()
  onTestFinished(() => directory[Symbol.asyncDispose]())
  const env = { SIGNALBOX_JOURNAL: join(directory.path, 'nothing.sqlite') }
  const { code, stderr } = await signalbox(['audit', 'verify'], env)
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('there is no journal'),
  })
})

test('a gateway logs the head of the audit when it stops', async () => {
  const { gateway, create, audit } = await startGateway()
  await create()
  await gateway.end('SIGTERM')
  const [, head] = /"audit_head":"([^"]+)"/.exec(gateway.output()) ?? []
  expect((await audit('verify', '--head', head ?? 'none')).code).toBe(0)
})
