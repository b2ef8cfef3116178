import { once } from 'node:events'
import { chmod, cp, mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { diagnose } from '../../src/commands/doctor.ts'
import type { CommonOptions } from '../../src/commands/options.ts'
import type { Finding } from '../../src/tools/doctor/finding.ts'
import { checkSpace } from '../../src/tools/doctor/machine.ts'
import { freePort } from '../support/free-port.ts'
import { postgres, redis } from '../support/parts.ts'
import { startPostgres } from '../support/postgres.ts'
import { startRedis } from '../support/redis.ts'
import { serve, signalbox, temporaryDirectory, type Variables } from './support/signalbox.ts'

// Each test starts whole processes, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const INVENTORY = fileURLToPath(new URL('../fixtures/capabilities/inventory', import.meta.url))
const TOKEN = 'a-token-of-the-operator'

interface Diagnosis {
  /** The exit code. */
  readonly code: number
  readonly findings: readonly Finding[]
  /** What is told of a part, as `level message`. */
  readonly of: (part: string) => string
}

/** As the command does it, in this process: a process for each question would take minutes. */
async function doctor(env: Variables, options: CommonOptions = {}): Promise<Diagnosis> {
  return toDiagnosis(await diagnose(options, env))
}

/** The command itself, for what only a process can show. */
async function doctorProcess(env: Variables): Promise<Diagnosis> {
  const { code, stdout, stderr } = await signalbox(['doctor', '--json'], env)
  expect(stderr).toBe('')
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] }
  const diagnosis = toDiagnosis(findings)
  expect({ code, ok }).toEqual({ code: diagnosis.code, ok: diagnosis.code === 0 })
  return diagnosis
}

function toDiagnosis(findings: readonly Finding[]): Diagnosis {
  const of = (part: string) =>
    findings
      .filter(finding => finding.part === part)
      .map(({ level, message, fix }) => [level, message, ...(fix ? ['—', fix] : [])].join(' '))
      .join('\n')
  return { code: findings.some(({ level }) => level === 'fail') ? 1 : 0, findings, of }
}

/** A service for the GitHub pack, which answers 404 to everything and keeps what it was asked. */
async function startService() {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    response.writeHead(404).end()
  })
  const port = await listening(server)
  return { url: `http://127.0.0.1:${port}`, port, requests }
}

/** Takes connections, and says nothing. */
async function startSilence(): Promise<number> {
  return await listening(createTcpServer(socket => onTestFinished(() => void socket.destroy())))
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

async function directory(): Promise<string> {
  const made = await temporaryDirectory()
  onTestFinished(() => made[Symbol.asyncDispose]())
  return made.path
}

/** A machine where nothing is wanting. */
async function goodSetUp() {
  const [path, service] = [await directory(), await startService()]
  const gh = join(path, 'gh')
  await writeFile(gh, '#!/bin/sh\necho gh version 2.60.1\n')
  await chmod(gh, 0o755)
  const env = {
    PATH: path,
    PORT: '0',
    GITHUB_TOKEN: TOKEN,
    GITHUB_API_URL: service.url,
    GITHUB_GRAPHQL_URL: `${service.url}/graphql`,
    SIGNALBOX_JOURNAL: join(path, 'data', 'journal.sqlite'),
  }
  return { env, path, service }
}

describe('a good set-up', () => {
  test('has nothing to look at', async () => {
    const { env } = await goodSetUp()
    const { code, findings, of } = await doctorProcess(env)
    expect(findings.filter(({ level }) => level === 'warn' || level === 'fail')).toEqual([])
    expect(findings.map(({ part }) => part).filter(part => part !== 'tests')).toEqual([
      'node',
      'cards',
      'address',
      'journal',
      'state',
      'temporary files',
      'github credential',
      'github rest',
      'github graphql',
      'github cli',
    ])
    expect(of('github credential')).toMatch(/^ok GITHUB_TOKEN is set/)
    expect(of('github rest')).toBe(`ok ${env.GITHUB_API_URL} answers (404)`)
    expect(of('github cli')).toMatch(/^ok gh /)
    expect(code).toBe(0)
  })

  test('is told in lines, the last of which sums up', async () => {
    const { env } = await goodSetUp()
    const { stdout } = await signalbox(['doctor'], env)
    const lines = stdout.trimEnd().split('\n')
    expect(lines.at(-1)).toBe('The gateway would start: 0 failed, 0 to look at.')
    for (const line of lines.slice(0, -1))
      expect(line).toMatch(/^(ok {2}|warn|fail|hint) {2}\S.*: /)
  })

  test('is left as it was', async () => {
    const { env, path } = await goodSetUp()
    await doctor(env)
    expect(await readdir(path)).toEqual(['gh'])
  })

  test('is asked without any credential', async () => {
    const { env, service } = await goodSetUp()
    await doctor(env)
    const [first] = service.requests
    expect(first?.method).toBe('HEAD')
    expect(service.requests).toHaveLength(2)
    for (const { url, headers } of service.requests) {
      expect(url).toBe('/')
      expect(Object.keys(headers).toSorted()).toEqual(['connection', 'host', 'user-agent'])
    }
  })
})

describe('a program', () => {
  test('that is missing is told with how to get it, and stops nothing', async () => {
    const { env } = await goodSetUp()
    const { code, of } = await doctor({ ...env, PATH: await directory() })
    expect(of('github cli')).toMatch(/^warn gh is not installed here, .* — Install gh \(apt-get/)
    expect(code).toBe(0)
  })

  test('that is too old is told with the version that is needed', async () => {
    const { env, path } = await goodSetUp()
    await writeFile(join(path, 'gh'), '#!/bin/sh\necho gh version 2.1.0\n')
    const { of } = await doctor(env)
    expect(of('github cli')).toMatch(
      /^warn This needs gh ≥ 2\.\d+\.0, found 2\.1\.0\. — Install gh/,
    )
  })
})

describe('an upstream', () => {
  test('where nothing listens is told with the error of the network', async () => {
    const { env } = await goodSetUp()
    const url = `http://127.0.0.1:${await freePort()}`
    const { code, of } = await doctor({ ...env, GITHUB_API_URL: url })
    expect(of('github rest')).toContain(`warn ${url} cannot be reached`)
    expect(of('github rest')).toMatch(/\(ECONNREFUSED\) — Check the address/)
    expect(of('github graphql')).toMatch(/^ok /)
    expect(code).toBe(0)
  })

  test('that never answers is waited for only so long', async () => {
    const { env } = await goodSetUp()
    const { of } = await doctor({
      ...env,
      GITHUB_API_URL: `http://127.0.0.1:${await startSilence()}`,
    })
    expect(of('github rest')).toMatch(/^warn .* cannot be reached: .* in time/)
  })

  test('without its credential is told which variable to set', async () => {
    const { env } = await goodSetUp()
    const { code, of } = await doctor({ ...env, GITHUB_TOKEN: '' })
    expect(of('github credential')).toMatch(
      /^warn GITHUB_TOKEN or GH_TOKEN is not set — .*set GITH/,
    )
    expect(code).toBe(0)
  })

  test('of one’s own is looked at as well', async () => {
    const { env, service } = await goodSetUp()
    const own = { ...env, INVENTORY_URL: service.url }
    const { of } = await doctor(own, { capabilities: [INVENTORY] })
    expect(of('inventory credential')).toBe('ok none is needed, and INVENTORY_TOKEN is not set')
    expect(of('inventory rest')).toMatch(/^ok /)
  })
})

describe('the journal', () => {
  test.for(['/proc/nobody/journal.sqlite', join(process.execPath, 'journal.sqlite')])(
    'where nothing can be written fails: %s',
    async file => {
      const { env } = await goodSetUp()
      const { code, of } = await doctor({ ...env, SIGNALBOX_JOURNAL: file })
      expect(of('journal')).toMatch(
        /^fail the journal .* cannot be opened: .* Set SIGNALBOX_JOURNAL/,
      )
      expect(code).toBe(1)
    },
  )

  test('that is no database fails', async () => {
    const { env, path } = await goodSetUp()
    const file = join(path, 'journal.sqlite')
    await writeFile(file, 'a text of some length that SQLite never wrote')
    const { of } = await doctor({ ...env, SIGNALBOX_JOURNAL: file })
    expect(of('journal')).toMatch(/^fail the journal .* cannot be opened: file is not a database/)
  })

  test('of a running gateway, with its port, is no fault', async () => {
    const { env } = await goodSetUp()
    await using running = await serve(env)
    const { port } = new URL(running.url)
    const journal = running.journal
    const { code, of } = await doctor({ ...env, PORT: port, SIGNALBOX_JOURNAL: journal })
    expect(of('journal')).toMatch(/^warn .* is in use by a gateway/)
    expect(of('address')).toMatch(/^warn .* is where a gateway runs already/)
    expect(code).toBe(0)
    await running.stop()
    expect((await doctor({ ...env, SIGNALBOX_JOURNAL: journal })).of('journal')).toMatch(
      /can be written$/,
    )
  })

  test('in a PostgreSQL that is not there, or says nothing, fails', async () => {
    const { env } = await goodSetUp()
    for (const port of [await freePort(), await startSilence()]) {
      const url = `postgres://somebody:open-sesame@127.0.0.1:${port}/journal`
      const { code, of } = await doctor({ ...env, SIGNALBOX_JOURNAL: url })
      expect(of('journal')).toMatch(
        /^fail the journal at 127.* cannot be opened: .* Check SIGNALBOX_/,
      )
      expect(code).toBe(1)
    }
  })

  test.runIf(postgres.available)('in PostgreSQL is tried, and nothing is made there', async () => {
    const { env } = await goodSetUp()
    const server = await startPostgres()
    onTestFinished(() => server.remove())
    const own = { ...env, SIGNALBOX_JOURNAL: await server.createDatabase() }
    const first = await doctor(own)
    const second = await doctor(own)
    await (await serve(own)).stop()
    const third = await doctor(own)
    expect(first.of('journal')).toMatch(/^ok .* has no tables yet/)
    expect(second.of('journal')).toBe(first.of('journal'))
    expect(third.of('journal')).toMatch(/^ok .* can be written, schema \d+$/)
  })
})

describe('the shared state', () => {
  test('that cannot be reached stops nothing, as a gateway starts without it', async () => {
    const { env } = await goodSetUp()
    for (const port of [await freePort(), await startSilence()]) {
      const { code, of } = await doctor({ ...env, SIGNALBOX_STATE: `redis://127.0.0.1:${port}` })
      expect(of('state')).toMatch(/^warn 127.* — Check SIGNALBOX_STATE/)
      expect(code).toBe(0)
    }
  })

  test.runIf(redis.available)(
    'is tried, with its password and what it does when full',
    async () => {
      const { env } = await goodSetUp()
      const login = ['--requirepass', 'open-sesame']
      const room = ['--maxmemory', '64mb', '--maxmemory-policy', 'allkeys-lru']
      const server = await startRedis([...login, ...room])
      onTestFinished(() => server.remove())
      const at = (password: string) => server.url(0).replace('//', `//:${password}@`)
      const good = await doctor({ ...env, SIGNALBOX_STATE: at('open-sesame') })
      const wrong = await doctor({ ...env, SIGNALBOX_STATE: at('close-sesame') })
      expect(good.of('state')).toMatch(/^warn Redis drops keys .* allkeys-lru/)
      expect(good.code).toBe(0)
      expect(wrong.of('state')).toMatch(/^fail the shared state .* cannot be used: WRONGPASS/)
      expect(wrong.code).toBe(1)
    },
  )
})

test('the collector of traces is looked for where there is one', async () => {
  const { env, service } = await goodSetUp()
  const doctorOf = (address: string) => doctor({ ...env, OTEL_EXPORTER_OTLP_ENDPOINT: address })
  const closed = `http://127.0.0.1:${await freePort()}`
  expect((await doctorOf(service.url)).of('traces')).toBe(`ok ${service.url} answers (404)`)
  expect((await doctorOf(closed)).of('traces')).toMatch(
    /^warn .* reached: ECONNREFUSED — Check OTEL/,
  )
  expect((await doctorOf('collector:4318')).of('traces')).toMatch(/^fail OTEL_.* must be a URL/)
})

test('a port in use by something else fails', async () => {
  const { env, service } = await goodSetUp()
  const { code, of } = await doctor({ ...env, PORT: String(service.port) })
  expect(of('address')).toMatch(/^fail 127\.0\.0\.1:\d+ is in use: .* set another PORT/)
  expect(code).toBe(1)
})

test('an open address without keys fails', async () => {
  const { env } = await goodSetUp()
  const { code, of } = await doctor(env, { host: '0.0.0.0' })
  expect(of('address')).toMatch(/^fail HOST 0\.0\.0\.0 is open to other machines.* SIGNALBOX_KEYS=/)
  expect(code).toBe(1)
})

test('a setting that cannot be used fails', async () => {
  const { of } = await doctorProcess({ PORT: 'eighty' })
  expect(of('settings')).toMatch(/^fail PORT is not usable/)
})

test('a faulty card fails in one line, and the rest is looked at all the same', async () => {
  const { env, path, service } = await goodSetUp()
  const pack = join(path, 'inventory')
  await cp(INVENTORY, pack, { recursive: true })
  await writeFile(join(pack, 'broken.view.yaml'), 'id: broken.view\neffect: sometimes\n')
  const { code, of } = await doctor(
    { ...env, INVENTORY_URL: service.url },
    { capabilities: [pack] },
  )
  expect(of('cards')).toMatch(/^fail \d problems, .*broken\.view\.yaml:\d.* — Run signalbox check/)
  expect(of('cards')).not.toContain('\n')
  expect(of('inventory rest')).toMatch(/^ok /)
  expect(code).toBe(1)
})

test('a place where no temporary file can be is told', async () => {
  const { env, path } = await goodSetUp()
  const { of } = await doctorProcess({ ...env, TMPDIR: join(path, 'gh', 'nowhere') })
  expect(of('temporary files')).toMatch(/^warn .* cannot be written \(ENOTDIR\).* — Set TMPDIR/)
})

test('no secret is shown', async () => {
  const { env, path, service } = await goodSetUp()
  const closed = await freePort()
  const own = {
    ...env,
    GITHUB_API_URL: service.url.replace('//', '//user:secret-of-the-url@'),
    SIGNALBOX_KEYS: 'agent:secret-of-the-gateway',
    SIGNALBOX_JOURNAL: `postgres://u:secret-of-the-journal@127.0.0.1:${closed}/journal`,
    SIGNALBOX_STATE: `redis://u:secret-of-the-state@127.0.0.1:${closed}`,
  }
  await mkdir(join(path, 'data'))
  for (const args of [['doctor'], ['doctor', '--json']]) {
    const { stdout, stderr } = await signalbox(args, own)
    expect(stdout + stderr).not.toMatch(/secret-of/)
    expect(stdout + stderr).not.toContain(TOKEN)
    expect(stdout).toContain('journal')
  }
})

test('disk space is told of only when it is low', () => {
  expect(checkSpace('/data', { bavail: 2 ** 20, bsize: 4096 })).toEqual([])
  expect(checkSpace('/data', { bavail: 5120, bsize: 4096 })).toMatchObject([
    { level: 'warn', message: '20 MiB are free at /data' },
  ])
})
