import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { replay } from '../../../src/call/replay/replay.ts'
import { createCatalog } from '../../../src/cards/catalog.ts'
import { loadCapabilities } from '../../../src/cards/load.ts'
import { packDirectories } from '../../../src/cards/packs.ts'
import { createAdapters } from '../../../src/gateway/adapters.ts'
import type { Fixture } from '../../../src/journal/fixture.ts'
import { startTestGateway, type TestGateway } from '../../support/gateway.ts'

const REPOSITORY = { owner: 'octo-org', name: 'hello-world' }

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway[Symbol.asyncDispose]())
beforeEach(() => gateway.sandbox.faults.set([]))

test('a replay of an exported fallback makes the same decisions', async () => {
  breakRest()
  const fixture = await recordAndExport('repo.view', REPOSITORY)

  expect(fixture.attempts.map(({ route, status }) => [route, status])).toEqual([
    ['rest', 'error'],
    ['graphql', 'success'],
  ])
  expect(await replay(gateway.engine, fixture)).toEqual({
    same: true,
    capability_id: 'repo.view',
    differences: [],
  })
})

test('a replay names the difference after the card prefers another route', async () => {
  breakRest()
  const fixture = await recordAndExport('repo.view', REPOSITORY)
  await using changed = await copyOfPack()
  await changed.edit('repo.view.yaml', /^prefer:.*$/m, 'prefer: [graphql, rest, cli]')

  const report = await replay({ ...gateway.engine, catalog: changed.catalog() }, fixture)

  expect(report.same).toBe(false)
  expect(report.differences[0]).toEqual({
    what: 'candidates',
    recorded: expect.stringMatching(/^rest \(CARD_PREFERRED\), graphql/),
    now: expect.stringMatching(/^graphql \(CARD_PREFERRED\), rest/),
  })
  expect(report.differences).toContainEqual({
    what: 'result',
    recorded: 'answered by graphql (CARD_FALLBACK)',
    now: 'answered by graphql (CARD_PREFERRED)',
  })
})

test('a replay reports a call that the recording lacks as unrecorded', async () => {
  const fixture = await recordAndExport('repo.view', REPOSITORY)
  await using changed = await copyOfPack()
  await changed.edit('repo.view.yaml', /^prefer:.*$/m, 'prefer: [graphql, rest, cli]')

  const report = await replay({ ...gateway.engine, catalog: changed.catalog() }, fixture)

  expect(report.differences).toContainEqual({
    what: 'unrecorded',
    recorded: 'answered by rest (CARD_PREFERRED)',
    now: 'no further attempt by graphql is recorded',
  })
})

test('a replay names the difference that other settings make', async () => {
  gateway.sandbox.faults.set([{ on: {}, do: { status: 503 }, times: 2 }])
  const fixture = await recordAndExport('repo.view', { ...REPOSITORY }, { route: 'rest' })
  const policy = { ...gateway.engine.policy, retries: 0 }

  expect((await replay(gateway.engine, fixture)).same).toBe(true)
  expect((await replay({ ...gateway.engine, policy }, fixture)).differences).toContainEqual({
    what: 'attempt',
    recorded: 'rest SERVER, then retry_same',
    now: 'rest SERVER, then give_up',
  })
})

test('a replay of an ambiguous write repeats the recorded verdict', async () => {
  gateway.sandbox.faults.set([{ on: { route: 'rest' }, do: { reset: 'after' }, times: 1 }])
  const input = { ...REPOSITORY, title: `Lost ${Date.now()}` }
  const fixture = await recordAndExport('issue.create', input)

  expect(fixture.result.reason).toBe('RECOVERED')
  expect((await replay(gateway.engine, fixture)).differences).toEqual([])
})

test('an export has no message, and no input unless the journal keeps payloads', async () => {
  breakRest()
  const fixture = await recordAndExport('repo.view', REPOSITORY)

  expect(fixture.input).toBeNull()
  expect(JSON.stringify(fixture)).not.toMatch(/hello-world|sandbox-token|message/)
})

test('the export of a request without decisions fails and says why', async () => {
  const refused = await gateway.call('repo.view', {})
  const { status, body } = await gateway.get(`/v1/requests/${refused.body.meta.request_id}/export`)

  expect(status).toBe(409)
  expect(body.error.message).toMatch(/no decisions to export/)
})

function breakRest(): void {
  gateway.sandbox.faults.set([{ on: { route: 'rest' }, do: { status: 503 }, times: 1 }])
}

async function recordAndExport(
  id: string,
  input: object,
  query: Record<string, string> = {},
): Promise<Fixture> {
  const { body } = await gateway.call(id, input, { query })
  const answer = await gateway.get(`/v1/requests/${body.meta.request_id}/export`)
  expect(answer.status).toBe(200)
  return answer.body.data as Fixture
}

/** A copy of the shipped cards, which a test may edit. */
async function copyOfPack() {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-cards-'))
  await cp(String(packDirectories(['github'])[0]), directory, { recursive: true })
  const opened: { close(): Promise<void> }[] = []
  return {
    async edit(file: string, pattern: RegExp, text: string) {
      const path = join(directory, file)
      await writeFile(path, (await readFile(path, 'utf8')).replace(pattern, text))
    },
    catalog() {
      const env = { PATH: process.env.PATH }
      const adapters = createAdapters()
      const loaded = loadCapabilities({ directories: [directory], adapters, env, now: Date.now })
      opened.push(loaded)
      return createCatalog(loaded.cards)
    },
    async [Symbol.asyncDispose]() {
      for (const loaded of opened) await loaded.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
