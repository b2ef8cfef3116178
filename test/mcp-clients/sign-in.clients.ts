import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { expect, onTestFinished, test } from 'vitest'
import { startTestGateway } from '../support/gateway.ts'
import { startSignInServer } from '../support/sign-in-server.ts'
import { CALLBACK, createSigningIn } from '../support/signing-in.ts'
import { REPO } from './support.ts'

test('the client of version 1 signs in, with a provider that chooses the audience itself', async () => {
  const idp = await startSignInServer({ groups: { ann: ['staff'] }, audience: 'signalbox' })
  idp.user = 'ann'
  const claims = { name: 'email', role: 'groups' }
  const roles = [{ name: 'staff', read_only: true }]
  const { issuer } = idp
  const required_scopes = ['signalbox']
  const oidc = [{ issuer, audience: 'signalbox', required_scopes, claims, roles }]
  const gateway = await startTestGateway({ settings: { oidc } })
  onTestFinished(() => gateway[Symbol.asyncDispose]())
  const signingIn = createSigningIn()
  const authProvider = signingIn as unknown as OAuthClientProvider
  const open = () =>
    new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), { authProvider })
  const transport = open()
  const stranger = new Client({ name: 'version-1', version: '1.0.0' })
  await expect(stranger.connect(transport as Transport)).rejects.toThrow(UnauthorizedError)
  const back = await idp.browse(signingIn.address as URL, CALLBACK)
  await transport.finishAuth(back.searchParams.get('code') ?? '')
  const client = new Client({ name: 'version-1', version: '1.0.0' })
  await client.connect(open() as Transport)
  onTestFinished(() => client.close())
  const read = { name: 'call', arguments: { capability: 'repo.view', input: REPO } }
  expect(await client.callTool(read)).toMatchObject({ isError: false })
  const change = { ...REPO, title: 'not allowed' }
  const write = { name: 'call', arguments: { capability: 'issue.create', input: change } }
  expect(await client.callTool(write)).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('FORBIDDEN') }],
  })
})
