import { expect, test } from 'vitest'
import { startTestGateway } from '../support/gateway.ts'
import { writePack } from '../support/packs.ts'
import { type Service, sendJson, startService } from '../support/service.ts'

const card = `
id: shelf.view
version: 1.0.0
description: Show a shelf with all its parts.
effect: read
input: { type: object, required: [shelf], properties: { shelf: { type: string } } }
output: { type: object, required: [first, count, names], properties: { first: { type: [string, 'null'] }, count: { type: integer }, names: { type: integer } } }
prefer: [rest]
routes:
  rest:
    lookup:
      shelf: { method: GET, path: "/shelves/{shelf}" }
      parts:
        method: GET
        path: /ids/{lookup.shelf.id}/parts
        query: { per_page: page.size, page: page.number }
        all: { items: body.parts }
    method: GET
    path: /ids/{lookup.shelf.id}/names
    query: { after: page.after }
    all: { items: body.names, next: body.next }
    result: "{first: lookup.parts[0], count: length(lookup.parts), names: length(body)}"
`

/** A service with numbered pages of parts, and pages of names that follow a cursor. */
function startShelves(parts: number, linked: boolean): Promise<Service> {
  return startService((request, response) => {
    const url = new URL(request.url, 'http://shelf.test')
    const page = Number(url.searchParams.get('page'))
    const after = Number(url.searchParams.get('after'))
    const numbers = Array.from({ length: parts }, (_, index) => `part ${index}`)
    response.setHeader('etag', `"${url.search}"`)
    if (linked && page * 100 < parts) response.setHeader('link', '<http://x/?page=9>; rel="next"')
    else if (linked) response.setHeader('link', '<http://x/?page=1>; rel="first"')
    const bodies: Record<string, unknown> = {
      '/shelves/top': { id: 7 },
      '/ids/7/parts': { parts: numbers.slice((page - 1) * 100, page * 100) },
      '/ids/7/names': { names: ['a', 'b'], next: after < 2 ? String(after + 1) : null },
    }
    sendJson(response, bodies[url.pathname])
  })
}

async function callShelf(url: string) {
  const upstream = 'id: shelves\nrest: { base_url: "${SHELF_URL}" }\n'
  const pack = await writePack({ 'upstream.yaml': upstream, 'shelf.view.yaml': card })
  await using gateway = await startTestGateway({
    settings: { capabilities: [pack] },
    env: { SHELF_URL: url },
  })
  // The second call must not be answered from memory: the ETag of one page does not cover the list.
  await gateway.call('shelf.view', { shelf: 'top' })
  return (await gateway.call('shelf.view', { shelf: 'top' })).body
}

test.each([
  [0, false, 1],
  [99, false, 1],
  [100, false, 2],
  [100, true, 1],
  [230, true, 3],
])(
  'a list of %i items is read to its end (Link: %s) in %i requests',
  async (count, linked, pages) => {
    const service = await startShelves(count, linked)
    const body = await callShelf(service.url)
    expect(body.data).toEqual({ first: count === 0 ? null : 'part 0', count, names: 6 })
    const paths = service.received.map(({ url }) => url)
    const second = paths.slice(paths.length / 2)
    expect(second.filter(path => path.includes('/parts'))).toHaveLength(pages)
    expect(second.filter(path => path.includes('/names'))).toEqual([
      '/ids/7/names',
      '/ids/7/names?after=1',
      '/ids/7/names?after=2',
    ])
  },
)

test('a list that is too long is refused, not truncated', async () => {
  const { url } = await startShelves(3001, true)
  const body = await callShelf(url)
  expect(body.error).toMatchObject({ code: 'TOO_LARGE' })
})
