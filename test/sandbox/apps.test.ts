import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { SandboxOptions } from '../../sandbox/index.ts'
import { APP_ID, appJwt, installApp, keyPair, newKeyPair } from '../support/github-app.ts'
import { gh } from '../support/parts.ts'
import { clientOf, HELLO, startSandbox } from './support.ts'

async function startApp(options: SandboxOptions & { on?: readonly string[] } = {}) {
  const { on = ['octo-org'], ...more } = options
  const { sandbox } = await startSandbox(more)
  const { app, installations } = installApp(sandbox, { on })
  const asApp = clientOf(sandbox.url, await appJwt())
  const id = installations[0]?.id ?? 0
  const tokenOf = async (body?: object) => {
    const { json } = await asApp.rest('POST', `/app/installations/${id}/access_tokens`, body)
    return json.token as unknown as string
  }
  return { sandbox, app, installations, asApp, id, tokenOf }
}

test('an app finds its installations', async () => {
  const { asApp, id, installations } = await startApp({ on: ['octo-org', 'octocat'] })
  expect((await asApp.rest('GET', '/app')).json).toMatchObject({ id: APP_ID, slug: 'reviewer-app' })
  const { json } = await asApp.rest('GET', '/app/installations')
  expect(json.map(one => one.id)).toEqual(installations.map(one => one.id))
  for (const path of [
    `${HELLO}/installation`,
    '/orgs/octo-org/installation',
    '/users/Octo-Org/installation',
  ]) {
    expect((await asApp.rest('GET', path)).json.id).toBe(id)
  }
  for (const path of [
    '/repos/mallory/hidden/installation',
    '/orgs/octocat/installation',
    '/users/mallory/installation',
  ]) {
    expect((await asApp.rest('GET', path)).status).toBe(404)
  }
})

const now = () => Math.floor(Date.now() / 1000)

describe('the JWT of an app', () => {
  test.each([
    [
      'of another key',
      () => ({ privateKey: newKeyPair().privateKey }),
      401,
      'A JSON web token could not be decoded',
    ],
    ['of an unknown app', () => ({ iss: '1' }), 404, 'Integration not found'],
    ['that has ended', () => ({ exp: now() - 1 }), 401, /^'Expiration time' claim .* must be/],
    [
      'that lasts too long',
      () => ({ exp: now() + 700 }),
      401,
      /^'Expiration time' claim .* too far/,
    ],
    ['from the future', () => ({ iat: now() + 90 }), 401, /^'Issued at' claim/],
  ] as const)('%s is refused', async (_, claims, status, message) => {
    const { sandbox, id } = await startApp()
    const { rest } = clientOf(sandbox.url, await appJwt(claims()))
    const answer = await rest('POST', `/app/installations/${id}/access_tokens`)
    expect(answer.status).toBe(status)
    expect(answer.json.message).toMatch(message)
  })

  test('is no token, and a token is no JWT', async () => {
    const { asApp, sandbox, id } = await startApp()
    expect((await asApp.rest('GET', HELLO)).status).toBe(401)
    const { rest } = clientOf(sandbox.url)
    expect((await rest('POST', `/app/installations/${id}/access_tokens`)).status).toBe(401)
  })
})

describe('the token of an installation', () => {
  test('acts as the app, in both APIs', async () => {
    const { sandbox, tokenOf } = await startApp()
    const { rest, graphql } = clientOf(sandbox.url, await tokenOf())
    const made = await rest('POST', `${HELLO}/issues`, { title: 'By an app' })
    expect(made.json.user).toMatchObject({ login: 'reviewer-app[bot]', type: 'Bot' })
    expect(made.headers.get('x-oauth-scopes')).toBeNull()
    const { json } = await graphql('{ viewer { login } }')
    expect(json.data?.viewer?.login).toBe('reviewer-app[bot]')
    expect((await rest('GET', '/user')).json.message).toBe('Resource not accessible by integration')
  })

  test('reaches private repositories of its installation alone', async () => {
    const { sandbox, tokenOf } = await startApp()
    const { rest } = clientOf(sandbox.url, await tokenOf())
    expect((await rest('GET', '/repos/octo-org/secret-plans')).status).toBe(200)
    expect((await rest('GET', '/repos/mallory/hidden')).status).toBe(404)
    expect((await rest('POST', '/repos/octocat/spoon-knife/labels', { name: 'x' })).status).toBe(
      403,
    )
    const { json } = await rest('GET', '/installation/repositories')
    expect(json.total_count).toBe(
      sandbox.store.repositories.all().filter(it => it.owner.login === 'octo-org').length,
    )
  })

  test('has the permissions and repositories that were asked for', async () => {
    const { asApp, id, sandbox, tokenOf } = await startApp()
    const path = `/app/installations/${id}/access_tokens`
    const narrow = { permissions: { issues: 'read' }, repositories: ['hello-world'] }
    const { json } = await asApp.rest('POST', path, narrow)
    expect(json).toMatchObject({
      permissions: { issues: 'read' },
      repository_selection: 'selected',
    })
    const { rest } = clientOf(sandbox.url, await tokenOf(narrow))
    expect((await rest('POST', `${HELLO}/issues`, { title: 'x' })).status).toBe(403)
    expect((await rest('POST', `${HELLO}/labels`, { name: 'x' })).json.message).toBe(
      'Resource not accessible by integration',
    )
    expect((await rest('GET', '/repos/octo-org/secret-plans')).status).toBe(404)
    const more = { permissions: { administration: 'write' } }
    expect((await asApp.rest('POST', path, more)).status).toBe(422)
  })

  test('ends after its life, is revoked, and ends with its installation', async () => {
    let time = Date.now()
    const { sandbox, asApp, id, tokenOf } = await startApp({
      now: () => time,
      installationTokenMs: 5000,
    })
    const read = async (token: string) => {
      const { rest, graphql } = clientOf(sandbox.url, token)
      return [(await rest('GET', HELLO)).status, (await graphql('{ viewer { login } }')).status]
    }
    const first = await tokenOf()
    time += 4999
    expect(await read(first)).toEqual([200, 200])
    time += 1
    expect(await read(first)).toEqual([401, 401])
    const second = await tokenOf()
    await clientOf(sandbox.url, second).rest('DELETE', '/installation/token')
    expect(await read(second)).toEqual([401, 401])
    const third = await tokenOf()
    await asApp.rest('DELETE', `/app/installations/${id}`)
    expect(await read(third)).toEqual([401, 401])
    expect((await asApp.rest('POST', `/app/installations/${id}/access_tokens`)).status).toBe(404)
  })

  test('is not issued while the installation is suspended', async () => {
    const { asApp, id } = await startApp()
    const path = `/app/installations/${id}`
    await asApp.rest('PUT', `${path}/suspended`)
    const refused = await asApp.rest('POST', `${path}/access_tokens`)
    expect([refused.status, refused.json.message]).toEqual([
      403,
      'This installation has been suspended',
    ])
    await asApp.rest('DELETE', `${path}/suspended`)
    expect((await asApp.rest('POST', `${path}/access_tokens`)).status).toBe(201)
  })

  test.runIf(gh.available)('is taken and refused by gh as by everybody', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'sb-'))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    const socketPath = join(directory, 'gh.sock')
    await writeFile(join(directory, 'config.yml'), `http_unix_socket: ${socketPath}\n`)
    let time = Date.now()
    const { tokenOf } = await startApp({ socketPath, now: () => time, installationTokenMs: 5000 })
    const token = await tokenOf()
    const view = async () => {
      const env = { PATH: process.env.PATH, GH_CONFIG_DIR: directory, GH_TOKEN: token }
      const child = spawn('gh', ['api', 'repos/octo-org/secret-plans'], { env })
      const [output] = await Promise.all([text(child.stderr), once(child, 'close')])
      return output
    }
    expect(await view()).toBe('')
    time += 5000
    expect(await view()).toContain('HTTP 401')
  })
})

test('a request to the control endpoint adds an app, and gives it other keys', async () => {
  const { sandbox } = await startSandbox()
  const { rest } = clientOf(sandbox.url)
  const app = {
    id: APP_ID,
    slug: 'reviewer-app',
    owner: 'octo-org',
    public_keys: [keyPair().publicKey],
  }
  const added = await rest('PUT', '/_sandbox/apps', {
    ...app,
    installed_on: ['octo-org'],
    token_life_ms: 5000,
  })
  const asApp = clientOf(sandbox.url, await appJwt())
  const id = added.json.installations?.[0]?.id as unknown as number
  const path = `/app/installations/${id}/access_tokens`
  const { json } = await asApp.rest('POST', path)
  const life = Date.parse(json.expires_at as unknown as string) - Date.now()
  expect(life > 3000 && life <= 5000).toBe(true)
  await rest('PUT', '/_sandbox/apps', { ...app, public_keys: [] })
  expect((await asApp.rest('POST', path)).status).toBe(401)
})
