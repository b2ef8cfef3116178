import { mkdtemp, readFile, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startTestGateway } from '../support/gateway.ts'
import { sendJson, startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { echoPack, READ_AND_WRITE } from './service-pack.ts'

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'sb-secrets-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

const keyFrom = (source: string) => `
schemes: { key: { type: header, name: X-Api-Key } }
credentials: { default: { key: ${source} } }
`

/** Starts a service that takes the key which `accepted` returns, or any, and a gateway in front of it. */
async function start(
  source: string,
  accepted: () => string | null = () => null,
  env: Readonly<Record<string, string>> = {},
) {
  const service = await startService(({ headers }, response) => {
    const expected = accepted()
    const isAccepted = expected === null || headers['x-api-key'] === expected
    sendJson(response, { message: 'looked at' }, isAccepted ? 200 : 401)
  })
  const pack = await echoPack(service.url, keyFrom(source), READ_AND_WRITE)
  const gateway = await startTestGateway({
    settings: { capabilities: [pack] },
    env: { NAME: 'from-the-environment', ...env },
  })
  onTestFinished(() => gateway[Symbol.asyncDispose]())
  const sent = () => service.received.map(({ headers }) => headers['x-api-key'])
  return { gateway, service, sent, pack }
}

test('a file is read again when it has changed, whether written, renamed or linked anew', async () => {
  const directory = await temporaryDirectory()
  const file = join(directory, 'key')
  await writeFile(file, '  written-first\n')
  const { gateway, sent } = await start(`{ file: "${file}" }`)
  const call = async () => expect((await gateway.call('echo.view', {})).body.ok).toBe(true)
  await call()
  await call()
  await writeFile(file, 'written-second-time')
  await call()
  await writeFile(join(directory, 'next'), 'renamed-third')
  await rename(join(directory, 'next'), file)
  await call()
  await writeFile(join(directory, 'target'), 'linked-fourth')
  await unlink(file)
  await symlink(join(directory, 'target'), file)
  await call()
  expect(sent()).toEqual([
    'written-first',
    'written-first',
    'written-second-time',
    'renamed-third',
    'linked-fourth',
  ])
})

/** Programs, what they give, and how often they run for two calls. */
const COMMANDS = [
  ['a text', ['printf', 'printed-secret\\n'], {}, 'printed-secret'],
  [
    'JSON',
    ['printf', '{"value": "json-secret", "expires_at": "2999-01-01T00:00:00Z"}'],
    {},
    'json-secret',
  ],
  [
    'its own variables and PATH alone',
    ['env'],
    { A: '${NAME}' },
    /^A=from-the-environment PATH=\S+$/,
  ],
  ['arguments as they are', ['printf', '%s', '$(id) `id` ; id'], {}, '$(id) `id` ; id'],
] as const

test('a variable with _FILE at its end names a file for the variable, which wins over it', async () => {
  const file = join(await temporaryDirectory(), 'key')
  await writeFile(file, 'from-the-file\n')
  const filed = await start('{ env: [OTHER, FILED] }', undefined, { FILED_FILE: file })
  await filed.gateway.call('echo.view', {})
  expect(filed.sent()).toEqual(['from-the-file'])
  const set = await start('{ env: FILED }', undefined, { FILED_FILE: file, FILED: 'plain-text' })
  await set.gateway.call('echo.view', {})
  expect(set.sent()).toEqual(['plain-text'])
})

test.each(COMMANDS)('a program gives %s', async (_, run, env, expected) => {
  const command = { run, env }
  const { gateway, sent } = await start(`{ command: ${JSON.stringify(command)} }`)
  const { body } = await gateway.call('echo.view', {})
  if (run[0] === 'env') {
    // Two lines are no value of a header, so nothing is sent.
    expect(body.error.message).toMatch(/check the credential/)
    const secrets = gateway.engine.upstreams().flatMap(one => one.upstream.credentials.secrets())
    const lines = secrets.find(secret => secret.includes('A='))?.split('\n')
    expect(lines?.toSorted((a, b) => a.localeCompare(b)).join(' ')).toMatch(expected)
    return
  }
  await gateway.call('echo.view', {})
  expect(sent()).toEqual([expected, expected])
})

/** Sources that fail, and what the answer says. */
const FAILING = [
  ['{ file: /nowhere/key }', 'AUTH', '/nowhere/key cannot be read (ENOENT).'],
  ['{ file: /dev/null }', 'AUTH', '/dev/null is empty.'],
  ['{ command: { run: [nowhere-to-be-found] } }', 'AUTH', 'cannot be started (ENOENT)'],
  ['{ command: { run: ["false"] } }', 'AUTH', 'ended with exit code 1'],
  ['{ command: { run: ["true"] } }', 'AUTH', 'prints nothing'],
  ['{ command: { run: [printf, "{}"] } }', 'AUTH', 'prints JSON without a text "value"'],
  ['{ command: { run: ["yes"] } }', 'AUTH', 'prints too much'],
  ['{ command: { run: [sleep, "60"], timeout_ms: 200 } }', 'TIMEOUT', 'did not end in time'],
] as const

test.each(FAILING)('%s fails with %s, and nothing is sent', async (source, code, message) => {
  const { gateway, service } = await start(source)
  for (const id of ['echo.view', 'echo.make']) {
    const { body } = await gateway.call(id, {})
    expect(body.error).toMatchObject({
      code,
      write_outcome: id === 'echo.make' ? 'not_applied' : null,
    })
    expect(body.error.message).toContain(message)
    expect(body.meta.attempts.every(({ upstream_requests: sent = 0 }) => sent === 0)).toBe(true)
  }
  expect(service.received).toEqual([])
  // The service had no part in it.
  expect(gateway.engine.state.breakers.failuresOf('echo:rest')).toBe(0)
})

test('waiting for a source counts against the deadline of the call, and the source goes on', async () => {
  const directory = await temporaryDirectory()
  const flag = join(directory, 'go')
  const script = `while [ ! -e '${flag}' ]; do sleep 0.05; done; printf late-secret`
  const { gateway, sent } = await start(
    `{ command: ${JSON.stringify({ run: ['sh', '-c', script] })} }`,
  )
  const { body } = await gateway.call('echo.make', {}, { query: { timeout_ms: '300' } })
  expect(body.error).toMatchObject({ code: 'TIMEOUT', write_outcome: 'not_applied' })
  expect(body.meta.duration_ms).toBeLessThan(5000)
  const second = gateway.call('echo.make', {})
  await writeFile(flag, '')
  expect((await second).body.ok).toBe(true)
  expect(sent()).toEqual(['late-secret'])
})

test('after a 401 the secret is taken anew, once, and the request is repeated if it is another', async () => {
  const directory = await temporaryDirectory()
  const file = join(directory, 'count')
  const script = `echo x >> '${file}'; printf 'secret-%s' $(wc -l < '${file}')`
  let accepted = 'secret-2'
  const { gateway, sent } = await start(
    `{ command: ${JSON.stringify({ run: ['sh', '-c', script] })} }`,
    () => accepted,
  )
  const { body } = await gateway.call('echo.make', {})
  expect(body.ok).toBe(true)
  expect(sent()).toEqual(['secret-1', 'secret-2'])
  expect(body.meta.attempts).toMatchObject([{ status: 'success', upstream_requests: 2 }])
  accepted = 'another'
  const refused = await gateway.call('echo.make', {})
  expect(refused.body.error).toMatchObject({ code: 'AUTH', write_outcome: 'not_applied' })
  expect(sent()).toEqual(['secret-1', 'secret-2', 'secret-2', 'secret-3'])
})

test('a secret that is the same as before is not sent again', async () => {
  const { gateway, sent } = await start('{ command: { run: [printf, same] } }', () => 'other')
  expect((await gateway.call('echo.view', {})).body.error.code).toBe('AUTH')
  expect(sent()).toEqual(['same'])
})

test('calls that wait for a program at once wait for one run of it', async () => {
  const directory = await temporaryDirectory()
  const file = join(directory, 'count')
  const script = `sleep 0.3; echo x >> '${file}'; printf 'secret-%s' $(wc -l < '${file}')`
  const { gateway, sent } = await start(
    `{ command: ${JSON.stringify({ run: ['sh', '-c', script] })} }`,
  )
  const calls = Array.from({ length: 20 }, (_, index) =>
    gateway.call('echo.view', { text: `${index}` }),
  )
  const answers = await Promise.all(calls)
  expect(answers.every(({ body }) => body.ok)).toBe(true)
  expect(sent()).toHaveLength(20)
  expect(new Set(sent())).toEqual(new Set(['secret-1']))
})

test('a program ends with the gateway', async () => {
  const directory = await temporaryDirectory()
  const file = join(directory, 'pid')
  const script = `echo $$ > '${file}'; sleep 600`
  const { gateway } = await start(`{ command: ${JSON.stringify({ run: ['sh', '-c', script] })} }`)
  const call = gateway.call('echo.view', {}, { query: { timeout_ms: '2000' } })
  await call
  const pid = Number(await readFile(file, 'utf8'))
  expect(isRunning(pid)).toBe(true)
  gateway.engine.upstreams().at(-1)?.upstream.credentials.close()
  await until(
    () => isRunning(pid),
    running => !running,
  )
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
