import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadCapabilities } from '../../src/cards/load.ts'
import { createAdapters } from '../../src/gateway/adapters.ts'
import { startTestGateway } from '../support/gateway.ts'

const card = `
id: tags.remove
version: 1.0.0
description: Remove tags of a shelf.
effect: idempotent
input: { type: object, required: [tags], properties: { tags: { type: array, items: { type: string } } } }
output: { type: object, required: [known, answers], properties: { known: { type: array }, answers: { type: array } } }
prefer: [rest]
routes:
  rest:
    lookup:
      known: { each: input.tags, method: GET, path: "/known/{item}" }
    each: lookup.known[*].name
    method: DELETE
    path: /tags/{item}
    result: "{known: lookup.known[*].name, answers: body}"
`

/** Knows every tag in capitals, and cannot remove the tag BAD. */
async function startService() {
  const seen: string[] = []
  const server = createServer((request, response) => {
    const [, kind, name = ''] = (request.url ?? '').split('/')
    seen.push(`${request.method} ${request.url}`)
    response.setHeader('content-type', 'application/json')
    if (request.method === 'DELETE' && name === 'BAD') response.statusCode = 422
    response.end(JSON.stringify(kind === 'known' ? { name: name.toUpperCase() } : `no ${name}`))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise(resolve => server.once('listening', resolve))
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function writePack(source: string) {
  const directory = await mkdtemp(join(tmpdir(), 'sb-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const upstream = 'id: shelves\nrest: { base_url: "${SHELF_URL:-http://127.0.0.1:1}" }\n'
  await writeFile(join(directory, 'upstream.yaml'), upstream)
  await writeFile(join(directory, 'tags.remove.yaml'), source)
  return directory
}

async function remove(tags: readonly string[]) {
  const { seen, url } = await startService()
  await using gateway = await startTestGateway({
    settings: { capabilities: [await writePack(card)] },
    env: { SHELF_URL: url },
  })
  const { body } = await gateway.call('tags.remove', { tags })
  return { body, seen }
}

test('a request is made for each member, in order, and their answers are a list', async () => {
  const { body, seen } = await remove(['a', 'b/c'])
  expect(body.data).toEqual({ known: ['A', 'B%2FC'], answers: ['no A', 'no B%252FC'] })
  expect(seen).toEqual([
    'GET /known/a',
    'GET /known/b%2Fc',
    'DELETE /tags/A',
    'DELETE /tags/B%252FC',
  ])
})

test('nothing is sent for an empty list', async () => {
  const { body, seen } = await remove([])
  expect(body.data).toEqual({ known: [], answers: [] })
  expect(seen).toEqual([])
})

test('what fails after others were carried out is not called unapplied', async () => {
  const { body, seen } = await remove(['a', 'bad', 'c'])
  expect(body.error).toMatchObject({ code: 'VALIDATION', write_outcome: null })
  expect(body.meta.attempts).toMatchObject([{ write_outcome: 'unknown' }])
  expect(seen.at(-1)).toBe('DELETE /tags/BAD')
})

test('a write that must not be repeated cannot be made of several requests', async () => {
  const directory = await writePack(card.replace('effect: idempotent', 'effect: write'))
  const loaded = loadCapabilities({
    directories: [directory],
    adapters: createAdapters(),
    env: {},
    now: Date.now,
  })
  await loaded.close()
  expect(loaded.problems[0]?.message).toMatch(/could stop a write halfway/)
})
