import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startCollector } from '../observe/tracing/collector.ts'
import { startTestGateway } from '../support/gateway.ts'
import { sendJson, startService } from '../support/service.ts'
import { CLIENT, startAuthorizationServer } from './authorization-server.ts'
import { echoPack, readCard } from './service-pack.ts'

const run = promisify(execFile)

const CANARY = {
  env: 'canary-env/0123456789+=',
  file: 'canary-file-0123456789',
  command: 'canary-command-0123456789',
  password: 'canary-password-0123456789',
}
const PAIR = Buffer.from(`ann:${CANARY.password}`).toString('base64')

const credentials = (file: string, script: string, tokenUrl: string) => `
schemes:
  query: { type: query, name: api_key }
  cookie: { type: cookie, name: sid }
  key: { type: header, name: X-Api-Key }
  login: { type: basic }
  user: { type: bearer }
credentials:
  default:
    query: { env: QUERY }
    cookie: { file: "${file}" }
    key: { command: { run: [sh, "${script}"] } }
    login: { username: { env: USER_NAME }, password: { env: PASSWORD } }
    user:
      oauth2: { token_url: "${tokenUrl}", client_id: { env: ID }, client_secret: { env: SECRET } }
needs: [query, cookie, key, login]
cli:
  command: sh
  env: { QUERY: "\${credential.query}", KEY: "\${credential.key}" }
`

/** Ends of calls: what the service answers with the request's secrets in it. */
const ENDS = ['/refused', '/limited', '/moved', '/broken', '/fine'] as const

test('no secret stands in a log, the journal, an envelope, a span or a list of processes', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sb-canary-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const file = join(directory, 'secret')
  const script = join(directory, 'print.sh')
  const list = join(directory, 'processes')
  await writeFile(file, CANARY.file)
  // Arguments of processes are seen by everybody on the machine.
  await writeFile(script, `ps -eo args > '${list}'; printf %s '${CANARY.command}'`)
  const server = await startAuthorizationServer(600)
  await using collector = await startCollector()
  // The exporter of spans reads the variables of its process.
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url)
  onTestFinished(() => void vi.unstubAllEnvs())
  const tokens: string[] = []
  const service = await startService(({ url, headers }, response) => {
    if (headers.authorization?.startsWith('Bearer ')) tokens.push(headers.authorization.slice(7))
    const echo = `${url} ${headers.cookie} ${headers.authorization} ${String(headers['x-api-key'])}`
    response.setHeader('x-request-id', headers.authorization ?? '')
    if (url.includes('moved')) {
      response.writeHead(302, { location: `http://127.0.0.1:1/?was=${encodeURIComponent(echo)}` })
      return void response.end()
    }
    if (url.includes('broken')) return void response.destroy()
    const status = url.includes('refused') ? 422 : url.includes('limited') ? 429 : 200
    sendJson(response, { message: `no: ${echo}`, error: { code: echo } }, status)
  })
  const cards = Object.fromEntries(
    ENDS.flatMap(path => {
      const name = path.slice(1)
      const card = readCard(`echo.${name}`).replace('said: {}', 'said: { type: object }')
      const token = readCard(`token.${name}`, 'needs: user')
      return [
        [`echo.${name}`, card.replace('result: "{said: body}"', `result: "{said: \`{}\`}"`)],
        [`token.${name}`, token.replace('result: "{said: body}"', `result: "{said: \`1\`}"`)],
      ]
    }),
  )
  const program = readCard('echo.run')
    .replace('prefer: [rest]', 'prefer: [cli]')
    .replace(
      /routes:[\s\S]*/,
      `routes:\n  cli: { command: ["-c", "ps -eo args >> '${list}'; echo $QUERY $KEY >&2; exit 3"], parse: text, result: "{said: body}" }\n`,
    )
  const pack = await echoPack(service.url, credentials(file, script, server.tokenUrl), {
    ...cards,
    'echo.run': program,
  })
  const log: string[] = []
  const said: string[] = []
  const journal = join(directory, 'journal.sqlite')
  {
    await using gateway = await startTestGateway({
      settings: { capabilities: [pack], journal_payloads: 'redacted' },
      env: {
        QUERY: CANARY.env,
        USER_NAME: 'ann',
        PASSWORD: CANARY.password,
        ID: CLIENT.id,
        SECRET: CLIENT.secret,
        SIGNALBOX_JOURNAL: journal,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      },
      onLog: line => log.push(JSON.stringify(line)),
    })
    for (const id of [...Object.keys(cards), 'echo.run']) {
      const { body } = await gateway.call(id, { text: 'hello' })
      const kept = await gateway.get(`/v1/requests/${body.meta.request_id}`)
      said.push(JSON.stringify(body), JSON.stringify(kept.body))
    }
    await gateway.engine.tracing?.[Symbol.asyncDispose]()
    for (const path of ['/v1/upstreams', '/v1/requests', '/v1/stats', '/metrics', '/readyz']) {
      const answer = await fetch(new URL(path, gateway.url))
      said.push(await answer.text())
    }
  }
  const kept = await Promise.all(
    (await readdir(directory))
      .filter(name => name.startsWith('journal'))
      .map(async name => (await readFile(join(directory, name))).toString('latin1')),
  )
  const processes = [await readFile(list, 'utf8'), (await run('ps', ['-eo', 'args'])).stdout]
  const [token = ''] = tokens
  expect(token).not.toBe('')
  expect(service.received.some(({ url }) => url.includes('api_key=canary-env'))).toBe(true)
  expect(collector.spans.length).toBeGreaterThan(10)
  const secrets = [...Object.values(CANARY), PAIR, token, CLIENT.secret]
  const all = [...secrets, ...secrets.map(encodeURIComponent)]
  const leaks = Object.entries({
    log,
    said,
    kept,
    processes,
    spans: [collector.received()],
  }).flatMap(([place, texts]) =>
    all
      .filter(secret => texts.some(text => text.includes(secret)))
      .map(secret => `${secret} in ${place}`),
  )
  expect(leaks).toEqual([])
})

test('a secret in the query is no part of any text, even one that is too short to be redacted', async () => {
  const service = await startService(({ url }, response) => {
    if (url.includes('broken')) return void response.destroy()
    sendJson(response, { message: 'no' }, url.includes('refused') ? 422 : 200)
  })
  const declared = `
schemes: { query: { type: query, name: api_key } }
credentials: { default: { query: { env: QUERY } } }
`
  const ids = ['echo.fine', 'echo.refused', 'echo.broken']
  const cards = Object.fromEntries(ids.map(id => [id, readCard(id)]))
  const pack = await echoPack(service.url, declared, cards)
  const log: string[] = []
  await using gateway = await startTestGateway({
    settings: { capabilities: [pack], journal_payloads: 'redacted' },
    env: { QUERY: 'q!w' },
    onLog: line => log.push(JSON.stringify(line)),
  })
  const said: string[] = []
  for (const id of ids) {
    const { body } = await gateway.call(id, {})
    const kept = await gateway.get(`/v1/requests/${body.meta.request_id}`)
    said.push(JSON.stringify(body), JSON.stringify(kept.body))
  }
  expect(service.received.every(({ url }) => url.endsWith('?api_key=q!w'))).toBe(true)
  expect([...log, ...said].filter(text => /api_key|q!w/.test(text))).toEqual([])
})
