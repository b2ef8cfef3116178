import { createHash } from 'node:crypto'
import { request as send } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../../support/gateway.ts'
import { openService, type Received, type Service } from '../../support/service.ts'
import { type Registry, startRegistry } from './registry.ts'

let registry: Registry
let proxy: Service
let gateway: TestGateway
let reader: TestGateway
/** The fate of a request that gets no answer. */
let fault: (request: Received) => 'refuse' | 'cut' | null = () => null

beforeAll(async () => {
  registry = await startRegistry()
  proxy = await openService(async (request, response) => {
    const kind = fault(request)
    if (kind === 'refuse') {
      response.writeHead(503).end('no server is available')
      return
    }
    const answer = await pass(request)
    if (kind === 'cut') response.destroy()
    else response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body)
  })
  const own = {
    PATH: process.env.PATH,
    NPM_REGISTRY_PROTOCOL: 'http',
    NPM_REGISTRY_HOST: `127.0.0.1:${proxy.port}`,
  }
  const settings = { packs: ['npm'], retries: 0 }
  gateway = await startTestGateway({ settings, env: { ...own, NPM_TOKEN: registry.token } })
  reader = await startTestGateway({ settings, env: own })
  await publish({
    name: '@acme/tiny',
    version: '1.0.0',
    description: 'A tiny tool',
    license: 'MIT',
  })
  await publish({ name: '@acme/tiny', version: '1.10.0', dependencies: { 'left-pad': '^1.3.0' } })
  await publish({ name: '@acme/tiny', version: '2.0.0-rc.1', tag: 'next' })
  await publish({ name: 'plain', version: '0.1.0', description: 'Plain "quoted" ü' })
})
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]()
  await reader?.[Symbol.asyncDispose]()
  await proxy?.[Symbol.asyncDispose]()
  await registry?.[Symbol.asyncDispose]()
})

const READS: readonly (readonly [string, object])[] = [
  ['npm.package.view', { name: '@acme/tiny' }],
  ['npm.package.view', { name: '@acme/tiny', version: '1.0.0' }],
  ['npm.package.view', { name: '@acme/tiny', version: 'next' }],
  ['npm.package.view', { name: 'plain' }],
  ['npm.package.versions', { name: '@acme/tiny' }],
  ['npm.package.versions', { name: 'plain' }],
  ['npm.package.dist_tags', { name: '@acme/tiny' }],
  ['npm.package.search', { text: 'tiny' }],
]

test.each(READS)('%s %j returns the same on both routes', async (id, input) => {
  const rest = await reader.call(id, input, { query: { route: 'rest' } })
  const cli = await reader.call(id, input, { query: { route: 'cli' } })
  expect(rest.body.error).toBeNull()
  expect(rest.body).toMatchObject({ ok: true, meta: { route_used: 'rest' } })
  expect(cli.body).toMatchObject({ ok: true, meta: { route_used: 'cli' } })
  expect(cli.body.data).toEqual(rest.body.data)
})

test.each([
  ['npm.package.view', { name: 'nothing-here' }],
  ['npm.package.view', { name: '@acme/tiny', version: '7.0.0' }],
  ['npm.package.view', { name: '@acme/tiny', version: 'nightly' }],
  ['npm.package.versions', { name: 'nothing-here' }],
  ['npm.package.dist_tags', { name: 'nothing-here' }],
])('%s %j is NOT_FOUND on both routes', async (id, input) => {
  for (const route of ['rest', 'cli']) {
    const { body } = await reader.call(id, input, { query: { route } })
    expect({ route, code: body.error?.code }).toEqual({ route, code: 'NOT_FOUND' })
  }
})

test('a version shows what was published', async () => {
  const { body } = await reader.call('npm.package.view', { name: '@acme/tiny', version: '1.0.0' })
  expect(body.data).toMatchObject({
    version: '1.0.0',
    description: 'A tiny tool',
    license: 'MIT',
    deprecated: null,
    shasum: packed('@acme/tiny', '1.0.0').shasum,
    publishedAt: expect.stringMatching(/^\d{4}-/),
  })
})

test('the published bytes can be downloaded', async () => {
  const { body } = await reader.call('npm.package.view', { name: '@acme/tiny', version: '1.0.0' })
  const { pathname } = new URL(body.data.tarball)
  const answer = await fetch(`http://${registry.host}${pathname}`)
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(bytes.toString('base64')).toBe(packed('@acme/tiny', '1.0.0').tarball)
})

test('versions stand newest first, with their tags', async () => {
  const { body } = await reader.call('npm.package.versions', { name: '@acme/tiny' })
  expect(body.data.items.map((item: { version: string }) => item.version)).toEqual([
    '2.0.0-rc.1',
    '1.10.0',
    '1.0.0',
  ])
  expect(body.data.tags).toEqual({ latest: '1.10.0', next: '2.0.0-rc.1' })
})

test('a version that exists is a CONFLICT', async () => {
  const { body } = await gateway.call(
    'npm.package.publish',
    draft({ name: 'plain', version: '0.1.0' }),
  )
  expect(body.error).toMatchObject({ code: 'CONFLICT', write_outcome: 'not_applied' })
})

test('a publish without a token is AUTH', async () => {
  const { body } = await reader.call(
    'npm.package.publish',
    draft({ name: 'plain', version: '0.2.0' }),
  )
  expect(body.error).toMatchObject({ code: 'AUTH', write_outcome: 'not_applied' })
})

test('a publish whose answer is lost is found again', async () => {
  fault = ({ method }) => (method === 'PUT' ? 'cut' : null)
  const before = puts()
  const { body } = await gateway.call(
    'npm.package.publish',
    draft({ name: 'plain', version: '0.3.0' }),
  )
  fault = () => null
  expect(body).toMatchObject({
    ok: true,
    data: { name: 'plain', version: '0.3.0', shasum: packed('plain', '0.3.0').shasum },
    meta: { reason: 'RECOVERED' },
  })
  expect(puts()).toBe(before + 1)
})

test.each(['rest', 'cli'])('a tag is set through %s', async route => {
  const tag = `by-${route}`
  const input = { name: '@acme/tiny', tag, version: '1.0.0' }
  for (const time of ['first', 'again']) {
    const { body } = await gateway.call('npm.package.dist_tag.set', input, { query: { route } })
    expect({ time, ok: body.ok, data: body.data }).toEqual({ time, ok: true, data: input })
  }
  const { body } = await reader.call('npm.package.dist_tags', { name: '@acme/tiny' })
  expect(body.data.tags[tag]).toBe('1.0.0')
  const missing = { ...input, version: '7.0.0' }
  const refused = await gateway.call('npm.package.dist_tag.set', missing, { query: { route } })
  expect(refused.body.error.code).toBe('NOT_FOUND')
  // npm sends nothing if the tag names this version already.
  const other = { ...input, version: '1.10.0' }
  const stranger = await reader.call('npm.package.dist_tag.set', other, { query: { route } })
  expect(stranger.body.error.code).toBe('AUTH')
})

test('a deprecated version says so on both routes', async () => {
  const input = { name: 'plain', version: '0.1.0' }
  const message = '--use "tiny"; it is $better'
  const { body } = await gateway.call('npm.package.deprecate', { ...input, message })
  expect(body).toMatchObject({ ok: true, data: { deprecated: message } })
  for (const route of ['rest', 'cli']) {
    const seen = await reader.call('npm.package.view', input, { query: { route } })
    expect(seen.body.data.deprecated).toBe(message)
  }
  const missing = await gateway.call('npm.package.deprecate', {
    ...input,
    version: '9.9.9',
    message,
  })
  expect(missing.body.error.code).toBe('NOT_FOUND')
})

test('a broken REST route falls back to npm, and a broken npm to REST', async () => {
  const isNpm = ({ headers }: Received) => headers['user-agent']?.startsWith('npm/') ?? false
  const view = async (query = {}) =>
    (await reader.call('npm.package.view', { name: 'plain' }, { query })).body
  fault = request => (isNpm(request) ? null : 'refuse')
  expect((await view()).meta).toMatchObject({ route_used: 'cli', reason: 'CARD_FALLBACK' })
  fault = request => (isNpm(request) ? 'refuse' : null)
  expect((await view({ route: 'cli' })).error).toMatchObject({ code: 'SERVER', retryable: true })
  expect((await view()).meta).toMatchObject({ route_used: 'rest', reason: 'CARD_PREFERRED' })
  fault = () => null
})

test("npm sends the token of the call's credential, and never shows it", async () => {
  const { body } = await gateway.call(
    'npm.package.dist_tag.set',
    { name: 'plain', tag: 'mine', version: '0.1.0' },
    {
      query: { route: 'cli' },
      headers: { 'x-upstream-authorization': 'Bearer wrong-token-123456' },
    },
  )
  expect(body.error.code).toBe('AUTH')
  expect(proxy.received.at(-1)?.headers.authorization).toBe('Bearer wrong-token-123456')
  expect(JSON.stringify(body)).not.toContain('wrong-token-123456')
})

interface Draft {
  readonly name: string
  readonly version: string
  readonly description?: string
  readonly license?: string
  readonly tag?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

async function publish(package_: Draft): Promise<void> {
  const { body } = await gateway.call('npm.package.publish', draft(package_))
  expect(body.error).toBeNull()
}

function draft(package_: Draft) {
  return { ...package_, ...packed(package_.name, package_.version) }
}

/** A tarball with a package.json in it. */
function packed(name: string, version: string) {
  const bytes = gzipSync(tar('package/package.json', JSON.stringify({ name, version })))
  const digest = (algorithm: string, form: 'hex' | 'base64') =>
    createHash(algorithm).update(bytes).digest(form)
  return {
    tarball: bytes.toString('base64'),
    shasum: digest('sha1', 'hex'),
    integrity: `sha512-${digest('sha512', 'base64')}`,
  }
}

/** One file in the form of ustar: a header of 512 bytes, and the text in blocks of 512. */
function tar(path: string, text: string): Buffer {
  const header = Buffer.alloc(512)
  const size = Buffer.byteLength(text)
  header.write(path, 0)
  header.write('0000644\0', 100)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.write('        0', 148)
  header.write('ustar\u000000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  const content = Buffer.alloc(Math.ceil(size / 512) * 512)
  content.write(text)
  return Buffer.concat([header, content, Buffer.alloc(1024)])
}

const puts = () => proxy.received.filter(({ method }) => method === 'PUT').length

/** Sends a request on as it came, but uncompressed; fetch would decode its path. */
async function pass({ method, url, headers, body }: Received) {
  const [hostname, port] = registry.host.split(':')
  return await new Promise<{ status: number; type: string; body: Buffer }>((resolve, reject) => {
    const own = { ...headers, 'accept-encoding': 'identity', connection: 'close' }
    const sent = send({ agent: false, hostname, port, method, path: url, headers: own }, answer => {
      const chunks: Buffer[] = []
      answer.on('data', chunk => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 500,
          type: answer.headers['content-type'] ?? 'application/json',
          body: Buffer.concat(chunks),
        }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
