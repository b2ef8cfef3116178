import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { checkSpace } from '../../src/tools/doctor/machine.ts'
import { freePort } from '../support/free-port.ts'
import { postgres, redis } from '../support/parts.ts'
import { startPostgres } from '../support/postgres.ts'
import { startRedis } from '../support/redis.ts'
import { doctor, goodSetup, startSilence } from './support/doctor.ts'
import { serve } from './support/signalbox.ts'

// Some tests start servers and whole processes, which are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

describe('the journal', () => {
  test.for(['/proc/nobody/journal.sqlite', join(process.execPath, 'journal.sqlite')])(
    'that cannot be created fails: %s',
    async file => {
      const { env } = await goodSetup()
      const { code, of } = await doctor({ ...env, SIGNALBOX_JOURNAL: file })
      expect(of('journal')).toMatch(
        /^fail the journal .* cannot be opened: .* Set SIGNALBOX_JOURNAL/,
      )
      expect(code).toBe(1)
    },
  )

  test('that is not a database fails', async () => {
    const { env, path } = await goodSetup()
    const file = join(path, 'journal.sqlite')
    await writeFile(file, 'a text of some length that SQLite never wrote')
    const { of } = await doctor({ ...env, SIGNALBOX_JOURNAL: file })
    expect(of('journal')).toMatch(/^fail the journal .* cannot be opened: file is not a database/)
  })

  test.each(['1', '2'])('and port of a running gateway (workers: %s) are warnings', async count => {
    const { env } = await goodSetup()
    await using running = await serve({ ...env, SIGNALBOX_WORKERS: count })
    const { port } = new URL(running.url)
    const journal = running.journal
    const { code, of } = await doctor({ ...env, PORT: port, SIGNALBOX_JOURNAL: journal })
    const [holder, listener] = [/ is in use by a gateway(.*?) —/, /^warn a gateway(.*?) already/]
    const who = process.platform === 'linux' ? /^ \(process \d+\)$/ : /^/
    expect(holder.exec(of('journal') ?? '')?.[1]).toMatch(who)
    expect(listener.exec(of('address') ?? '')?.[1]).toMatch(who)
    expect(code).toBe(0)
    await running.stop()
    expect((await doctor({ ...env, SIGNALBOX_JOURNAL: journal })).of('journal')).toMatch(
      /is writable$/,
    )
  })

  test('in a PostgreSQL that is missing, or never answers, fails', async () => {
    const { env } = await goodSetup()
    for (const port of [await freePort(), await startSilence()]) {
      const url = `postgres://somebody:open-sesame@127.0.0.1:${port}/journal`
      const { code, of } = await doctor({ ...env, SIGNALBOX_JOURNAL: url })
      expect(of('journal')).toMatch(
        /^fail the journal at 127.* cannot be opened: .* Check SIGNALBOX_/,
      )
      expect(code).toBe(1)
    }
  })

  test.runIf(postgres.available)(
    'in PostgreSQL is tried, and doctor creates nothing there',
    async () => {
      const { env } = await goodSetup()
      const server = await startPostgres()
      onTestFinished(() => server.remove())
      const own = { ...env, SIGNALBOX_JOURNAL: await server.createDatabase() }
      const first = await doctor(own)
      const second = await doctor(own)
      await (await serve(own)).stop()
      const third = await doctor(own)
      expect(first.of('journal')).toMatch(/^ok .* has no tables yet/)
      expect(second.of('journal')).toBe(first.of('journal'))
      expect(third.of('journal')).toMatch(/^ok .* is writable, with schema \d+$/)
    },
  )
})

describe('the shared state', () => {
  test('that cannot be reached is a warning, because a gateway starts without it', async () => {
    const { env } = await goodSetup()
    for (const port of [await freePort(), await startSilence()]) {
      const { code, of } = await doctor({ ...env, SIGNALBOX_STATE: `redis://127.0.0.1:${port}` })
      expect(of('state')).toMatch(/^warn 127.* — Check SIGNALBOX_STATE/)
      expect(code).toBe(0)
    }
  })

  test.runIf(redis.available)('is tried, with its password and its eviction policy', async () => {
    const { env } = await goodSetup()
    const login = ['--requirepass', 'open-sesame']
    const room = ['--maxmemory', '64mb', '--maxmemory-policy', 'allkeys-lru']
    const server = await startRedis([...login, ...room])
    onTestFinished(() => server.remove())
    const at = (password: string) => server.url(0).replace('//', `//:${password}@`)
    const good = await doctor({ ...env, SIGNALBOX_STATE: at('open-sesame') })
    const wrong = await doctor({ ...env, SIGNALBOX_STATE: at('close-sesame') })
    expect(good.of('state')).toMatch(/^warn Redis evicts keys .* allkeys-lru/)
    expect(good.code).toBe(0)
    expect(wrong.of('state')).toMatch(/^fail the shared state .* cannot be used: WRONGPASS/)
    expect(wrong.code).toBe(1)
  })
})

test('the trace collector is checked if one is set', async () => {
  const { env, service } = await goodSetup()
  const doctorOf = (address: string) => doctor({ ...env, OTEL_EXPORTER_OTLP_ENDPOINT: address })
  const closed = `http://127.0.0.1:${await freePort()}`
  expect((await doctorOf(service.url)).of('traces')).toBe(`ok ${service.url} answers (404)`)
  expect((await doctorOf(closed)).of('traces')).toMatch(
    /^warn .* reached: ECONNREFUSED — Check OTEL/,
  )
  expect((await doctorOf('collector:4318')).of('traces')).toMatch(/^fail OTEL_.* must be a URL/)
})

test('disk space is reported only if it is low', () => {
  expect(checkSpace('/data', { bavail: 2 ** 20, bsize: 4096 })).toEqual([])
  expect(checkSpace('/data', { bavail: 5120, bsize: 4096 })).toMatchObject([
    { level: 'warn', message: 'only 20 MiB are free at /data' },
  ])
})
