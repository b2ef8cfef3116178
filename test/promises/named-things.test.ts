import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox } from '../../sandbox/index.ts'
import { doctor } from '../commands/support/doctor.ts'
import { runHere } from '../commands/support/run-here.ts'
import { serve, signalbox, temporaryDirectory } from '../commands/support/signalbox.ts'
import { githubEnv } from '../support/github.ts'

// The tests start whole processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const SECRET = 'agent-secret-0123456789'
const agent = (more: object = {}) => ({ name: 'agent', secret: SECRET, ...more })
const ISSUER = 'http://127.0.0.1:1'
const provider = (role: object) => ({
  issuer: ISSUER,
  audience: 'https://gateway.example.com/mcp',
  claims: { role: 'role' },
  roles: [{ name: 'staff', ...role }],
})

/** Settings that name what is not there, and the words that say so. */
const FAULTS = [
  {
    what: 'a key with an unknown credential',
    settings: { keys: [agent({ credentials: { github: 'reviewer' } })] },
    message: 'the gateway key "agent" names the credential "reviewer", and github has default',
  },
  {
    what: 'a key with a credential of an unknown upstream',
    settings: { keys: [agent({ credentials: { gitlab: 'default' } })] },
    message: 'the gateway key "agent" names a credential of "gitlab", and the upstreams are github',
  },
  {
    what: 'a role with an unknown credential',
    settings: { keys: [agent()], oidc: [provider({ credentials: { github: 'reviewer' } })] },
    message: `the role "staff" of ${ISSUER} names the credential "reviewer", and github has default`,
  },
  {
    what: 'two keys with one secret',
    settings: { keys: [agent(), { ...agent(), name: 'twin' }] },
    message: 'the gateway key "twin" is not usable: the key "agent" has the same secret',
  },
  {
    what: 'an issuer whose claims do not compile',
    settings: {
      keys: [agent()],
      oidc: [{ ...provider({}), claims: { role: 'role[', name: 'sub' } }],
    },
    message: `the identity provider ${ISSUER} is not usable: claims.role`,
  },
]

const LISTS = ['allow', 'deny', 'approve', 'tools']
/** A pattern that matches, and a pattern that matches nothing. */
const MISSPELT = Object.fromEntries(LISTS.map(list => [list, ['issue.*', `${list}.nothing`]]))
const UNMATCHED = LISTS.flatMap(list =>
  ['the gateway key "agent"', `the role "staff" of ${ISSUER}`].map(
    who => `${who} has "${list}.nothing" in ${list}, which matches no capability`,
  ),
)

async function openPlace() {
  const directory = await temporaryDirectory()
  const sandbox = await createSandbox()
  onTestFinished(async () => {
    await sandbox.close()
    await directory[Symbol.asyncDispose]()
  })
  const file = join(directory.path, 'signalbox.yaml')
  const env = {
    ...githubEnv(sandbox.url),
    SIGNALBOX_CONFIG: file,
    SIGNALBOX_JOURNAL: join(directory.path, 'journal.sqlite'),
    PORT: '0',
  }
  return { env, write: (settings: object) => writeFile(file, JSON.stringify(settings)) }
}

describe.each(FAULTS)('$what', ({ settings, message }) => {
  test('is an error at the start, and of doctor and check', async () => {
    const { env, write } = await openPlace()
    await write(settings)
    const started = await signalbox(['serve'], env)
    expect([started.code, started.stderr]).toEqual([1, expect.stringContaining(message)])
    const { findings } = await doctor(env)
    const fails = findings.filter(({ level }) => level === 'fail')
    expect(JSON.stringify(fails.map(finding => finding.message))).toContain(
      JSON.stringify(message).slice(1, -1),
    )
    const checked = await runHere(['check'], env)
    expect([checked.code, checked.stderr]).toEqual([1, expect.stringContaining(message)])
  })
})

test('settings that name what is not there change nothing at a reload, and the log says why', async () => {
  const { env, write } = await openPlace()
  await write({ keys: [agent()] })
  const gateway = await serve(env)
  onTestFinished(() => gateway[Symbol.asyncDispose]())
  const headers = { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' }
  const call = async () => {
    const body = JSON.stringify({ owner: 'octo-org', name: 'hello-world' })
    const init = { method: 'POST', headers, body }
    return (await fetch(`${gateway.url}/v1/capabilities/repo.view?route=rest`, init)).status
  }
  for (const { settings, message } of FAULTS) {
    await write(settings)
    const words = JSON.stringify(message).slice(1, -1)
    await expect
      .poll(() => faultyLines(gateway.log()).some(line => line.includes(words)), {
        timeout: 10_000,
      })
      .toBe(true)
    expect(await call()).toBe(200)
  }
})

function faultyLines(log: string): readonly string[] {
  return log.split('\n').filter(line => line.includes('the gateway keys are faulty'))
}

test('a reload takes over a new credential together with the key that uses it', async () => {
  const { env, write } = await openPlace()
  await write({ keys: [agent()] })
  const gateway = await serve({ ...env, SECOND_TOKEN: 'sandbox-token' })
  onTestFinished(() => gateway[Symbol.asyncDispose]())
  const statusOf = async (secret: string) => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ owner: 'octo-org', name: 'hello-world' })
    const init = { method: 'POST', headers, body }
    return (await fetch(`${gateway.url}/v1/capabilities/repo.view?route=rest`, init)).status
  }
  const secret = 'second-secret-0123456789'
  await write({
    credentials: { github: { second: { env: 'SECOND_TOKEN' } } },
    keys: [agent(), { name: 'second', secret, credentials: { github: 'second' } }],
  })
  await expect.poll(() => statusOf(secret), { timeout: 10_000 }).toBe(200)
  expect(gateway.log()).not.toContain('the gateway keys are faulty')
  // The credential may not go while the key uses it.
  await write({ keys: [agent(), { name: 'second', secret, credentials: { github: 'second' } }] })
  await expect
    .poll(() => gateway.log(), { timeout: 10_000 })
    .toMatch(/names the credential .*"the cards are faulty; the previous ones stay in use"/)
  expect(await statusOf(secret)).toBe(200)
})

test('patterns that match nothing are warnings at start, at reload, and of doctor and check', async () => {
  const { env, write } = await openPlace()
  await write({ keys: [agent()] })
  const gateway = await serve(env)
  onTestFinished(() => gateway[Symbol.asyncDispose]())
  const linesOf = (log: string) =>
    log
      .split('\n')
      .filter(line => line.startsWith('{'))
      .map(line => (JSON.parse(line) as { msg: string }).msg)
      .filter(message => message.includes('matches no capability'))
  expect(linesOf(gateway.log())).toEqual([])
  await write({ keys: [agent(MISSPELT)], oidc: [provider(MISSPELT)] })
  await expect
    .poll(() => linesOf(gateway.log()).toSorted(), { timeout: 10_000 })
    .toEqual(UNMATCHED.toSorted())
  await gateway.stop()
  const again = await serve(env)
  onTestFinished(() => again[Symbol.asyncDispose]())
  expect(linesOf(again.log()).toSorted()).toEqual(UNMATCHED.toSorted())

  const { findings } = await doctor(env)
  const warned = findings.filter(({ part, level }) => part === 'keys' && level === 'warn')
  expect(warned.map(({ message }) => message).toSorted()).toEqual(UNMATCHED.toSorted())
  const { code, stderr } = await runHere(['check'], env)
  expect(UNMATCHED.filter(message => !stderr.includes(message))).toEqual([])
  expect([code, stderr]).toEqual([0, expect.stringContaining('warning')])
})
