import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox } from '../../sandbox/index.ts'
import { serve, signalbox, temporaryDirectory } from '../commands/support/signalbox.ts'
import { blocks, readPage } from '../docs/pages.ts'
import { freePort } from '../support/free-port.ts'
import { githubEnv } from '../support/github.ts'
import { type SignInServer, startSignInServer } from '../support/sign-in-server.ts'
import { CALLBACK, createSigningIn, type SigningIn } from '../support/signing-in.ts'

// The tests start whole processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const [recipe = ''] = blocks(readPage('docs/trust.md'), 'yaml', 'MCP with single sign-on')
const REPO = { owner: 'octo-org', name: 'hello-world' }
const GROUPS = { ann: ['staff'], mia: ['staff', 'maintainers'], eve: [] }

/** A gateway with the settings of the page, for a real authorization server. */
async function startRecipe(change: (yaml: string) => string = yaml => yaml) {
  const idp = await startSignInServer({ groups: GROUPS })
  const directory = await temporaryDirectory()
  const sandbox = await createSandbox({ port: 0 })
  const port = await freePort()
  const file = join(directory.path, 'signalbox.yaml')
  const settings = recipe
    .replaceAll('https://gateway.example.com', `http://127.0.0.1:${port}`)
    .replaceAll('https://login.example.com', idp.issuer)
  await writeFile(file, change(settings))
  const env = { SIGNALBOX_CONFIG: file, ...githubEnv(sandbox.url) }
  const gateway = await serve(env, port)
  onTestFinished(async () => {
    await gateway[Symbol.asyncDispose]()
    await sandbox.close()
    await directory[Symbol.asyncDispose]()
  })
  return { idp, gateway, sandbox, file, env, settings }
}

/** Signs a person in, as the official client does it. */
async function signIn(url: string, idp: SignInServer, user: string) {
  // This authorization server refuses requests without any scope.
  const signingIn = createSigningIn('openid')
  const open = () =>
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: signingIn })
  const client = new Client({ name: 'tester', version: '1.0.0' })
  const transport = open()
  await expect(client.connect(transport)).rejects.toThrow(UnauthorizedError)
  idp.user = user
  await transport.finishAuth((await browserOf(idp, signingIn)).searchParams)
  const signedIn = new Client({ name: 'tester', version: '1.0.0' })
  await signedIn.connect(open())
  onTestFinished(() => signedIn.close())
  const call = async (capability: string, input: object) => {
    const args = { capability, input }
    const { content } = await signedIn.callTool({ name: 'call', arguments: args })
    return JSON.parse(content[0]?.type === 'text' ? content[0].text : '')
  }
  return { call, token: signingIn.held?.access_token ?? '', client: signedIn }
}

async function browserOf(idp: SignInServer, { address }: SigningIn): Promise<URL> {
  if (address === null) throw new Error('the client sent no browser anywhere')
  return await idp.browse(address, CALLBACK)
}

describe('with the settings of the page about trust', () => {
  test('people sign in with the official client, and may do what their group says', async () => {
    const { idp, gateway } = await startRecipe()
    const { url } = gateway
    const staff = await signIn(url, idp, 'ann')
    expect(idp.resources).toContain(`${url}/mcp`)
    expect(await staff.call('repo.view', REPO)).toMatchObject({ ok: true })
    const issue = await staff.call('issue.create', { ...REPO, title: 'From Ann' })
    expect(issue).toMatchObject({ ok: true })
    const merge = { ...REPO, prNumber: 2 }
    expect(await staff.call('pr.merge', merge)).toMatchObject({
      error: { code: 'FORBIDDEN', message: expect.stringContaining('"ann@example.com" may not') },
    })
    const gone = { ...REPO, issueNumber: issue.data.number }
    const asked = await staff.call('issue.delete', gone)
    expect(asked).toMatchObject({ error: { code: 'APPROVAL_REQUIRED' } })
    const approve = async (token: string) => {
      const id = String(asked.error.next.approval_id)
      const response = await fetch(`${url}/v1/approvals/${id}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ decision: 'approve' }),
      })
      return response.status
    }
    const maintainer = await signIn(url, idp, 'mia')
    expect([await approve(staff.token), await approve(maintainer.token)]).toEqual([403, 200])
    expect(await staff.call('issue.delete', gone)).toMatchObject({ ok: true })
    expect(await maintainer.call('issue.create', { ...REPO, title: 'From Mia' })).toMatchObject({
      ok: true,
    })
    const nobody = await signIn(url, idp, 'eve')
    expect(await nobody.call('repo.view', REPO)).toMatchObject({ error: { code: 'FORBIDDEN' } })
    expect(gateway.log()).toContain('"caller":"ann@example.com"')
    for (const { token } of [staff, maintainer, nobody]) expect(gateway.log()).not.toContain(token)
  })

  test('the gateway reads its issuers again when the file changes', async () => {
    const { idp, gateway, file, settings } = await startRecipe()
    const { token } = await signIn(gateway.url, idp, 'ann')
    const headers = { authorization: `Bearer ${token}` }
    const ask = async () => {
      const response = await fetch(`${gateway.url}/v1/requests`, { headers })
      return response.status
    }
    expect(await ask()).toBe(200)
    await writeFile(file, `${settings}    prefix: ["no text"]\n`)
    await expect.poll(() => gateway.log()).toMatch(/keys are faulty/)
    expect(await ask()).toBe(200)
    await writeFile(file, settings.replaceAll(/\/mcp$/gm, '/other'))
    await expect.poll(ask, { timeout: 10_000 }).toBe(401)
    await writeFile(file, 'keys: []\n')
    await expect
      .poll(
        async () => {
          const response = await fetch(`${gateway.url}/.well-known/oauth-protected-resource`)
          return response.status
        },
        { timeout: 10_000 },
      )
      .toBe(404)
    expect(await ask()).toBe(401)
  })

  test('doctor and config know the issuer', async () => {
    const { idp, env } = await startRecipe()
    const found = await signalbox(['doctor'], { ...env, PORT: '0' })
    expect(found.stdout).toContain(`identity provider: ${idp.issuer} has keys`)
    expect(found.stdout).toMatch(/address: .* callers need a token of an identity provider/)
    const shown = await signalbox(['config'], env)
    expect(shown.stdout).toContain(`oidc: [{"issuer":"${idp.issuer}"`)
    const gone = {
      ...env,
      SIGNALBOX_OIDC: `[{"issuer":"http://127.0.0.1:${await freePort()}","audience":"x"}]`,
    }
    expect((await signalbox(['doctor'], gone)).stdout).toMatch(
      /warn {2}identity provider: The keys of .* cannot be fetched \(ECONNREFUSED\) — Check issuer/,
    )
    const http = {
      ...env,
      SIGNALBOX_OIDC: '[{"issuer":"http://login.example.com","audience":"x"}]',
    }
    expect((await signalbox(['doctor'], http)).stdout).toMatch(/fail {2}identity provider: .*https/)
  })
})

test('a client asks for the scopes that a token needs', async () => {
  const change = (yaml: string) =>
    yaml.replace('    claims:', '    required_scopes: [signalbox]\n    claims:')
  const { idp, gateway } = await startRecipe(change)
  const { call } = await signIn(gateway.url, idp, 'ann')
  expect(await call('repo.view', REPO)).toMatchObject({ ok: true })
})
