import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../../sandbox/index.ts'
import { HELLO, startSandbox } from './support.ts'

test('the log shows each request and its result', async () => {
  const { rest, graphql } = await startSandbox()
  await rest('POST', `${HELLO}/issues?x=1`, { title: 'Logged' })
  await graphql('query Me { viewer { login } }')
  const { json } = await rest('GET', '/_sandbox/log')
  expect(json).toEqual([
    {
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      route: 'rest',
      via: 'tcp',
      method: 'POST',
      path: `${HELLO}/issues`,
      query: 'x=1',
      operation: null,
      status: 201,
      applied: true,
      request_id: expect.stringContaining(':'),
    },
    expect.objectContaining({
      route: 'graphql',
      path: '/graphql',
      operation: 'Me',
      status: 200,
      applied: false,
    }),
  ])

  expect((await rest('DELETE', '/_sandbox/log')).status).toBe(204)
  expect((await rest('GET', '/_sandbox/log')).json).toEqual([])
})

test('the state shows a change, and a reset reverts it', async () => {
  const { rest, sandbox } = await startSandbox()
  const titles = async () => {
    const { json } = await rest('GET', '/_sandbox/state')
    return json.repositories?.[0]?.issues?.map(issue => issue.title)
  }
  await rest('POST', `${HELLO}/issues`, { title: 'Gone soon' })
  sandbox.faults.set([{ do: { status: 500 } }])
  expect(await titles()).toContain('Gone soon')

  expect((await rest('POST', '/_sandbox/reset')).status).toBe(204)
  expect(await titles()).not.toContain('Gone soon')
  expect((await rest('GET', '/_sandbox/faults')).json).toEqual([])
  expect((await rest('GET', '/_sandbox/log')).json).toEqual([])
})

test('faults can be set over HTTP with any content type, and count down', async () => {
  const { rest } = await startSandbox()
  const faults = [{ on: { route: 'rest' }, do: { status: 503 }, times: 2 }]
  const put = await rest('PUT', '/_sandbox/faults', faults, {
    'content-type': 'application/x-www-form-urlencoded',
  })
  expect([put.status, put.json]).toEqual([200, faults])
  expect((await rest('GET', HELLO)).status).toBe(503)
  expect((await rest('GET', '/_sandbox/faults')).json).toMatchObject([{ times: 1 }])
})

test.each([
  ['no list', { do: { hang: true } }, /^Faults must be a JSON array/],
  ['no action', [{ do: {} }], /^faults\[0\]\.do must have exactly one of: status, reset/],
  ['two actions', [{ do: { hang: true, status: 500 } }], /^faults\[0\]\.do must have exactly one/],
  ['an unknown moment', [{ do: { reset: 'never' } }], /^faults\[0\]\.do\.reset: /],
  ['a stray key', [{ do: { hang: true, x: 1 } }], /^faults\[0\]\.do\.x: /],
  ['an unknown match', [{ on: { host: 'x' }, do: { hang: true } }], /^faults\[0\]\.on\.host: /],
  [
    'a broken pattern',
    [{ on: { path: '(' }, do: { hang: true } }],
    /^faults\[0\]\.on\.path is not/,
  ],
  ['a second one', [{ do: { hang: true } }, { do: { status: 5 } }], /^faults\[1\]\.do\.status: /],
])('a list of faults with %s is refused, and says where', async (_what, faults, message) => {
  const { rest } = await startSandbox()
  const { status, json } = await rest('PUT', '/_sandbox/faults', faults)
  expect(status).toBe(400)
  expect(json.message).toMatch(message)
})

test('the control endpoints are not on the unix socket', async () => {
  const socketPath = await freeSocketPath()
  await startSandbox({ socketPath })
  expect(await statusOver(socketPath, '/_sandbox/log')).toBe(404)
})

test('a sandbox takes over the socket file of a killed process, but not one in use', async () => {
  const socketPath = await freeSocketPath()
  const script = `require('node:net').createServer().listen(${JSON.stringify(socketPath)}, () => process.kill(process.pid, 'SIGKILL'))`
  spawnSync(process.execPath, ['--eval', script])
  const { sandbox } = await startSandbox({ socketPath })
  expect(await statusOver(socketPath, '/user')).toBe(401)
  await expect(createSandbox({ socketPath })).rejects.toThrow('EADDRINUSE')
  expect(sandbox.log.rows()).toMatchObject([{ via: 'socket' }])
})

async function freeSocketPath(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'sb-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  return join(directory, 's')
}

function statusOver(socketPath: string, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path }, response => {
      resolve(response.statusCode)
      response.resume()
    })
      .on('error', reject)
      .end()
  })
}

test('sandboxes in one process share only the schema', async () => {
  const [one, other] = [await startSandbox(), await startSandbox()]
  one.sandbox.faults.set([{ do: { status: 500 } }])
  await other.rest('POST', `${HELLO}/issues`, { title: 'Only here' })
  expect((await other.rest('GET', `${HELLO}/issues/41`)).json.title).toBe('Only here')
  expect((await one.rest('GET', HELLO)).status).toBe(500)
  expect((await one.rest('GET', `${HELLO}/issues/41`)).status).toBe(404)
  expect(other.sandbox.log.rows()).toHaveLength(2)
})

test('a sandbox closes at once, even while a request hangs', async () => {
  const { sandbox } = await startSandbox()
  sandbox.faults.set([{ do: { hang: true } }])
  const hanging = fetch(sandbox.url + HELLO)
  await expect.poll(() => sandbox.log.rows().length).toBe(1)
  const began = performance.now()
  await Promise.all([sandbox.close(), expect(hanging).rejects.toThrow('fetch failed')])
  expect(performance.now() - began).toBeLessThan(1000)
})
