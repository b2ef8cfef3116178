import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../../support/gateway.ts'
import { gh } from '../../support/parts.ts'

const REPOSITORY = { owner: 'octo-org', name: 'hello-world' }

interface Enterprise {
  /** Host and port. */
  readonly host: string
  /** The certificate of its own authority. */
  readonly certificate: string
  /** The `Authorization` of each request. */
  readonly tokens: (string | undefined)[]
  /** The sandbox that answers its requests. */
  backend: string
}

/** An Enterprise server with a certificate that no public authority has signed. */
async function startEnterprise(): Promise<Enterprise> {
  const directory = await mkdtemp(join(tmpdir(), 'ghe-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const [certificate, key] = [join(directory, 'server.crt'), join(directory, 'server.key')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const files = ['-out', certificate, '-keyout', key]
  execFileSync('openssl', ['req', '-new', '-x509', '-nodes', ...subject, ...files], {
    stdio: 'ignore',
  })
  const tls = { cert: await readFile(certificate), key: await readFile(key) }
  const tokens: (string | undefined)[] = []
  const enterprise = { host: '', certificate, tokens, backend: '' }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = request
    const body = await text(request)
    tokens.push(headers.authorization)
    const path = url.replace(/^\/api\/(?:v3\/|(?=graphql))/, '/')
    const { status, body: stream } = await fetch(`${enterprise.backend}${path}`, {
      method,
      headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
      ...(body === '' ? {} : { body }),
    })
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(stream === null ? '' : await text(stream))
  }
  const server = createServer(tls, (request, response) => void answer(request, response))
  server.listen(0, 'localhost')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  enterprise.host = `localhost:${(server.address() as AddressInfo).port}`
  return enterprise
}

async function startGateway(
  enterprise: Enterprise,
  env: Readonly<Record<string, string>>,
): Promise<TestGateway> {
  const gateway = await startTestGateway({
    env: { GH_HOST: enterprise.host, GH_CONFIG_DIR: '', ...env },
  })
  enterprise.backend = gateway.sandbox.url
  return gateway
}

describe.skipIf(!gh.available)('an Enterprise server, by gh', () => {
  test.each([
    ['repo.view', REPOSITORY],
    ['repo.contents.view', { ...REPOSITORY, path: 'README.md' }],
  ])('%s sends the token, and trusts the authority in SSL_CERT_FILE', async (id, input) => {
    const enterprise = await startEnterprise()
    await using gateway = await startGateway(enterprise, { SSL_CERT_FILE: enterprise.certificate })

    const { body } = await gateway.call(id, input, { query: { route: 'cli' } })

    expect(body).toMatchObject({ ok: true, error: null, meta: { route_used: 'cli' } })
    expect(new Set(enterprise.tokens)).toEqual(new Set(['token sandbox-token']))
  })

  test('without SSL_CERT_FILE, gh refuses the server before it sends the token', async () => {
    const enterprise = await startEnterprise()
    await using gateway = await startGateway(enterprise, {})

    const { body } = await gateway.call('repo.view', REPOSITORY, { query: { route: 'cli' } })

    expect(body.error).toMatchObject({ code: 'NETWORK', source: 'upstream' })
    expect(enterprise.tokens).toEqual([])
  })
})
