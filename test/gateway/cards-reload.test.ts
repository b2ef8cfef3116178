import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { copyPack } from '../support/packs.ts'
import { post } from '../support/post.ts'

const PACK = fileURLToPath(new URL('../fixtures/capabilities/inventory', import.meta.url))
const SECRET = 'operator-secret-0123456789'
const headers = { authorization: `Bearer ${SECRET}` }

/** A gateway with a copy of the pack, which no watcher reloads. */
async function startWithCopy() {
  const folder = await copyPack(PACK, { file: 'part.view.yaml', from: 'id: ', to: 'id: ' })
  const gateway = await startTestGateway({
    settings: {
      keys: [{ name: 'op', operator: true, secret: SECRET }],
      capabilities: [folder],
      packs: [],
    },
    env: { INVENTORY_URL: 'http://127.0.0.1:1' },
  })
  onTestFinished(() => gateway[Symbol.asyncDispose]())
  return { gateway, folder, card: join(folder, 'part.view.yaml') }
}

const reload = (gateway: TestGateway) => post(gateway, '/v1/cards/reload', {}, headers)

async function audited(gateway: TestGateway, action: string) {
  const { body } = await gateway.get(`/v1/audit?action=${action}`, headers)
  return body.data.items as { readonly actor: string; readonly reason: string | null }[]
}

async function change(file: string, from: RegExp, to: string): Promise<void> {
  await writeFile(file, (await readFile(file, 'utf8')).replace(from, to))
}

const NOTHING = { added: [], changed: [], removed: [], upstreams: [] }

test('a reload takes over cards that are new, changed and gone, and names them', async () => {
  const { gateway, folder, card } = await startWithCopy()
  const before = gateway.engine.catalog.all().length
  expect((await reload(gateway)).body.data).toEqual({ ...NOTHING, capabilities: before })

  await change(card, /^description: .*$/m, 'description: Changed.')
  const changed = await reload(gateway)
  expect(changed.body.data).toMatchObject({ ...NOTHING, changed: ['part.view'] })
  expect(gateway.engine.catalog.get('part.view')?.description).toBe('Changed.')

  await change(card, /^id: .*$/m, 'id: part.look')
  await rename(card, join(folder, 'part.look.yaml'))
  const renamed = await reload(gateway)
  expect(renamed.body.data).toMatchObject({
    ...NOTHING,
    added: ['part.look'],
    removed: ['part.view'],
  })

  await change(join(folder, 'upstream.yaml'), /^description: .*$/m, 'description: Another.')
  expect((await reload(gateway)).body.data).toMatchObject({ ...NOTHING, upstreams: ['inventory'] })
  const records = await audited(gateway, 'cards.reloaded')
  expect(records.map(({ actor }) => actor)).toEqual(['op', 'op', 'op', 'op'])
})

test('a broken card leaves the old ones, and the answer names file and line', async () => {
  const { gateway, card } = await startWithCopy()
  await change(card, /^description: .*$/m, 'description: Broken.\ncolour: red')
  const { status, body } = await reload(gateway)
  expect(status).toBe(400)
  expect(body.error).toMatchObject({ code: 'VALIDATION', retryable: false })
  expect(body.error.message).toMatch(/part\.view\.yaml:4: colour .*\. Remove it/)
  expect(body.error.details.problems).toMatchObject([{ file: card, line: 4 }])
  expect(gateway.engine.catalog.get('part.view')?.description).not.toBe('Broken.')
  const [record] = await audited(gateway, 'cards.faulty')
  expect(record).toMatchObject({ actor: 'op', reason: expect.stringContaining('colour') })
})

test('cards that are gone altogether leave the old ones', async () => {
  const { gateway, folder } = await startWithCopy()
  await rm(folder, { recursive: true })
  const { status, body } = await reload(gateway)
  expect({ status, message: body.error.message }).toEqual({
    status: 400,
    message: expect.stringContaining(folder),
  })
  expect(gateway.engine.catalog.get('part.view')).toBeDefined()
})

test('reloads that are asked for at once run one after the other', async () => {
  const { gateway, card } = await startWithCopy()
  await change(card, /^description: .*$/m, 'description: Once.')
  const answers = await Promise.all(Array.from({ length: 5 }, () => reload(gateway)))
  const named = answers.flatMap(({ body }) => body.data.changed as string[])
  expect(named).toEqual(['part.view'])
})
