import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkEnvelope } from '../../client/envelope.ts'
import { loadSettings } from '../../src/gateway/config.ts'
import type { Meta } from '../../src/model/envelope.ts'
import { demoAddresses } from '../support/demo.ts'
import { gh } from '../support/parts.ts'
import { blocks, parseCurl, readPage, root } from './pages.ts'

const readme = readPage('README.md')
const yourApi = readPage('docs/your-api.md')
const profiles = readPage('docs/profiles.md')
const signalbox = join(root, 'bin/signalbox.js')
const shipped = join(root, 'capabilities/github')
const [, userCard = ''] = blocks(yourApi, 'yaml', 'Add to a shipped pack')

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'examples-'))
})
afterAll(() => rm(directory, { recursive: true }))

describe('the demo', () => {
  let stop: () => Promise<unknown>
  let addresses: { readonly gateway: string; readonly sandbox: string }

  beforeAll(async () => {
    const pack = join(directory, 'pack')
    await mkdir(pack)
    const upstream = withoutParts(await readFile(join(shipped, 'upstream.yaml'), 'utf8'))
    await writeFile(join(pack, 'upstream.yaml'), upstream.replace('id: github', 'id: twin'))
    await cp(join(shipped, 'additions.graphql'), join(pack, 'additions.graphql'))
    await writeFile(join(pack, 'user.name.view.yaml'), userCard)
    await writeFile(join(pack, 'hints.yaml'), blocks(profiles, 'yaml')[0] ?? '')
    const child = spawn(process.execPath, [signalbox, 'demo'], {
      env: { PATH: process.env.PATH, PORT: '0', SANDBOX_PORT: '0', SIGNALBOX_CAPABILITIES: pack },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    stop = async () => {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    addresses = await demoAddresses(child)
  })
  afterAll(() => stop())

  async function run(command: string, requestId = ''): Promise<unknown> {
    const { method, url, headers, body } = parseCurl(command)
    const address = url
      .replace('http://127.0.0.1:8080', addresses.gateway)
      .replace('http://127.0.0.1:8081', addresses.sandbox)
      .replace('REQUEST_ID', requestId)
    return await (await fetch(address, { method, headers, body })).json()
  }

  test('gives the answers that the README shows', async () => {
    const [first = ''] = blocks(readme, 'sh', 'The first call')
    const [firstAnswer = ''] = blocks(readme, 'json', 'The first call')
    const [breakRoute = '', again = ''] = blocks(readme, 'sh', 'Break a route')
    const [fallback = ''] = blocks(readme, 'json', 'Break a route')
    const [journal = ''] = blocks(readme, 'sh', 'Look into the journal')
    const [record = ''] = blocks(readme, 'json', 'Look into the journal')
    const before = await run(first)
    expect(before).toMatchObject(here(firstAnswer))
    expect(await run(breakRoute)).toEqual([
      { on: { route: 'rest' }, do: { status: 503 }, times: 9 },
    ])
    const after = (await run(again)) as { data: unknown; meta: { request_id: string } }
    expect(after).toMatchObject(here(fallback))
    expect(after).toMatchObject({ data: (before as { data: object }).data })
    const kept = await run(journal, after.meta.request_id)
    expect(kept).toMatchObject(here(record))
    await run(breakRoute.replace(/-d '.*'/, "-d '[]'"))
  })

  test.each([
    ['an open circuit', { status: 503 }, 99, 'CIRCUIT_OPEN'],
    ['a used-up quota', { rate_limit: 'primary' }, 1, 'QUOTA_EXHAUSTED'],
  ])('forgets %s when its faults are removed', async (_what, action, times, reason) => {
    const [breakRoute = '', again = ''] = blocks(readme, 'sh', 'Break a route')
    const faults = JSON.stringify([{ on: { route: 'rest' }, do: action, times }])
    await run(breakRoute.replace(/-d '.*'/, `-d '${faults}'`))
    const call = async () => {
      const { meta } = (await run(again)) as { meta: Meta }
      return meta.attempts.find(({ route }) => route === 'rest')
    }
    await expect.poll(call).toMatchObject({ status: 'skipped', reason })
    await run(breakRoute.replace(/-d '.*'/, "-d '[]'"))
    expect(await call()).toMatchObject({ status: 'success' })
  })

  test('accepts the faults of docs/getting-started.md, and applies each once', async () => {
    const [setFaults = ''] = blocks(readPage('docs/getting-started.md'), 'sh', 'More faults')
    const [first = ''] = blocks(readme, 'sh', 'The first call')
    const { body } = parseCurl(setFaults)
    expect(await run(setFaults)).toEqual(JSON.parse(body ?? ''))
    expect(await run(first)).toMatchObject({
      meta: { attempts: [{ error_code: 'RATE_LIMIT' }, { route: 'graphql', status: 'success' }] },
    })
    await run(setFaults.replace(/-d '.*'/, "-d '[]'"))
  })

  test('answers a faulty input with the error that docs/calling.md shows', async () => {
    const [error = ''] = blocks(readPage('docs/calling.md'), 'json', 'Handle an error')
    const [first = ''] = blocks(readme, 'sh', 'The first call')
    const answer = await run(first.replace(',"name":"hello-world"', ''))
    expect(answer).toMatchObject({ error: JSON.parse(error) })
  })

  test('answers the batch of docs/batch.md with what the page shows', async () => {
    const page = readPage('docs/batch.md')
    const [command = ''] = blocks(page, 'sh')
    const [shown = ''] = blocks(page, 'json')
    const expected = JSON.parse(shown, (name, value) =>
      name === 'request_id' ? expect.stringMatching(/^01/) : value,
    )
    expect(await run(command)).toMatchObject(expected)
  })

  test('answers the call of docs/profiles.md in the dialect that it names', async () => {
    const [command = ''] = blocks(profiles, 'sh')
    const answer = await run(command)
    expect(answer).toMatchObject({ ok: true, data: { name: 'hello-world' } })
    expect(checkEnvelope('compact', answer)).toEqual([])
  })

  test.each([
    ['en', ({ action }: Hint) => action],
    ['de', ({ translations }: Hint) => translations.de],
  ])('has the hint of docs/profiles.md in the language %s', async (language, actionOf) => {
    const hints = load(blocks(profiles, 'yaml')[0] ?? '') as Record<string, Hint>
    const [[id, hint] = ['', null]] = Object.entries(hints)
    const response = await fetch(`${addresses.gateway}/v1/hints?ids=${id}`, {
      headers: { 'accept-language': language },
    })
    expect(await response.json()).toMatchObject({
      data: { hints: { [id]: { action: actionOf(hint as Hint) } }, notFound: [] },
    })
  })

  test.each(['rest', 'graphql'])(
    'runs the card that docs/your-api.md adds to the GitHub pack by %s',
    async route => {
      const response = await fetch(
        `${addresses.gateway}/v1/capabilities/user.name.view?route=${route}`,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"login":"octocat"}',
        },
      )
      expect(await response.json()).toMatchObject({
        ok: true,
        data: { login: 'octocat', name: 'The Octocat', url: 'https://github.com/octocat' },
      })
    },
  )
})

test('the settings file of docs/settings.md is usable', async () => {
  const [text = ''] = blocks(readPage('docs/settings.md'), 'yaml')
  const file = join(directory, 'settings.yaml')
  await writeFile(file, text)
  expect(loadSettings({}, file)).toMatchObject(load(text) as object)
})

interface Hint {
  readonly action: string
  readonly translations: { readonly de: string }
}

const WITHOUT_GH = { route: 'cli', status: 'skipped', reason: 'CLI_NOT_AVAILABLE' }

/** The answer that the README shows, as this machine gives it, without the members that differ in each run. */
function here(json: string): Record<string, unknown> {
  return JSON.parse(json, (key, value: unknown) => {
    if (key === 'request_id' || key === 'duration_ms') return undefined
    if (gh.available) return value
    if (key === 'candidates') return (value as unknown[]).slice(0, -1)
    if (key !== 'attempts') return value
    return Array.isArray(value) ? [...value, WITHOUT_GH] : Number(value) + 1
  }) as Record<string, unknown>
}

/** The parts of an upstream that speak of its cards: for the one card of the pack they would be faults. */
function withoutParts(upstream: string): string {
  const parts = upstream.split(/^(?=[\w$]+:)/m)
  return parts.filter(part => !/^(?:\$defs|keeps|texts):/.test(part)).join('')
}
