import { expect, test } from 'vitest'
import { startTestGateway } from '../support/gateway.ts'
import { loadPacks, writePack } from '../support/packs.ts'
import { type Service, sendJson, startService } from '../support/service.ts'

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
function startShelves(): Promise<Service> {
  return startService(({ method, url }, response) => {
    const [, kind, name = ''] = url.split('/')
    const status = method === 'DELETE' && name === 'BAD' ? 422 : 200
    sendJson(response, kind === 'known' ? { name: name.toUpperCase() } : `no ${name}`, status)
  })
}

function writeShelves(source: string): Promise<string> {
  const upstream = 'id: shelves\nrest: { base_url: "${SHELF_URL:-http://127.0.0.1:1}" }\n'
  return writePack({ 'upstream.yaml': upstream, 'tags.remove.yaml': source })
}

async function remove(tags: readonly string[]) {
  const service = await startShelves()
  await using gateway = await startTestGateway({
    settings: { capabilities: [await writeShelves(card)] },
    env: { SHELF_URL: service.url },
  })
  const { body } = await gateway.call('tags.remove', { tags })
  return { body, seen: service.lines() }
}

test('sends one request for each member, in order, and lists their answers', async () => {
  const { body, seen } = await remove(['a', 'b/c'])
  expect(body.data).toEqual({ known: ['A', 'B%2FC'], answers: ['no A', 'no B%252FC'] })
  expect(seen).toEqual([
    'GET /known/a',
    'GET /known/b%2Fc',
    'DELETE /tags/A',
    'DELETE /tags/B%252FC',
  ])
})

test('sends nothing for an empty list', async () => {
  const { body, seen } = await remove([])
  expect(body.data).toEqual({ known: [], answers: [] })
  expect(seen).toEqual([])
})

test('a failure after some members were removed has an unknown outcome', async () => {
  const { body, seen } = await remove(['a', 'bad', 'c'])
  expect(body.error).toMatchObject({ code: 'VALIDATION', write_outcome: 'unknown' })
  expect(body.meta.attempts).toMatchObject([{ write_outcome: 'unknown' }])
  expect(seen.at(-1)).toBe('DELETE /tags/BAD')
})

test('a card of effect write cannot send one request for each member', async () => {
  const loaded = await loadPacks([
    await writeShelves(card.replace('effect: idempotent', 'effect: write')),
  ])
  expect(loaded.problems[0]?.message).toMatch(/could stop a write halfway/)
})

test('a job that the requests wait for may only name a capability that exists', async () => {
  const poll = '    poll: { continue: { capability: tags.veiw, input: "{id: body.id}" } }\n'
  const loaded = await loadPacks([
    await writeShelves(card.replace('    result:', `${poll}    result:`)),
  ])
  expect(loaded.problems).toMatchObject([
    {
      message:
        'routes.rest.poll.continue.capability names the capability "tags.veiw", which does not exist',
      line: expect.any(Number),
    },
  ])
})
