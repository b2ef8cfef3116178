import { expect, test } from 'vitest'
import { copyPack } from '../support/packs.ts'
import { DOOR_NAMES, DOORS } from './support/doors.ts'
import { formIn, STORE, startStore } from './support/store.ts'

const PNG = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 255, 254])
const BASE64 = PNG.toString('base64')
/** Each call by the command line is a process of its own. */
const TIMEOUT = 60_000

/** Opens the door to a gateway with the store, at which `data` returns the data of one call. */
async function open(name: (typeof DOOR_NAMES)[number]) {
  const service = await startStore()
  const from = '${STORE_URL:-http://127.0.0.1:9}'
  const pack = await copyPack(STORE, { file: 'upstream.yaml', from, to: service.url })
  const door = await DOORS[name](pack)
  const data = async (capability: string, input: Readonly<Record<string, unknown>>) => {
    const envelope = await door.call({ capability, input })
    expect(envelope?.error ?? null).toBeNull()
    return envelope?.data
  }
  return { service, data, door }
}

test.each(DOOR_NAMES)(
  'bodies and answers of all kinds pass %s unchanged',
  async name => {
    const { service, data } = await open(name)
    // The MCP library reads what comes by stdio as doubles.
    const amount = name === 'MCP over stdio' ? '9007199254740' : '9007199254740993'
    await data('charge.create', {
      amount: JSON.rawJSON(amount),
      currency: 'eur',
      metadata: { 'größe & co': 'a=b+c' },
      expand: ['customer', 'x,y'],
    })
    const [charge] = service.received
    expect([...new URLSearchParams(charge?.body.toString())]).toEqual([
      ['amount', amount],
      ['currency', 'eur'],
      ['metadata[größe & co]', 'a=b+c'],
      ['expand[]', 'customer'],
      ['expand[]', 'x,y'],
    ])

    const upload = { title: 'Grüße', content: BASE64, filename: 'a"\r\nX: y.png' }
    const stored = await data('document.upload', upload)
    expect(stored).toMatchObject({ size: PNG.length })
    const form = await formIn(service.received[1] as never)
    expect([...form.keys()]).toEqual(['title', 'file'])
    const file = form.get('file') as File
    expect(Buffer.from(await file.arrayBuffer())).toEqual(PNG)

    expect(await data('photo.put', { content: BASE64 })).toEqual({
      content: BASE64,
      mediaType: 'image/png',
      size: PNG.length,
    })
    expect(service.received[2]?.body).toEqual(PNG)

    const text = 'Zoë: "naïve"\r\n\tcafé'
    expect(await data('note.put', { text })).toEqual({ text })

    expect(await data('stock.report', { tags: ['a,b', 'c'] })).toEqual({
      items: [
        { sku: 'A', stock: '9007199254740993' },
        { sku: 'B;2', stock: 'é' },
      ],
    })
    expect(service.received.at(-1)?.url).toBe('/report.csv?tags=a%2Cb,c')

    expect(await data('part.list', {})).toEqual({
      items: [{ sku: 'A', stock: '9007199254740993' }],
    })
  },
  TIMEOUT,
)

test.each(DOOR_NAMES)(
  'a job is waited for by %s, or the answer says how to go on',
  async name => {
    const { service, data, door } = await open(name)
    expect(await data('export.run', { format: 'csv' })).toEqual({ id: 7, url: '/report.csv' })
    expect(service.lines()).toEqual(['POST /exports', 'GET /exports/7', 'GET /exports/7'])

    const envelope = await door.call({ capability: 'export.run', input: { format: 'never' } })
    expect(envelope?.error).toMatchObject({
      code: 'NOT_READY',
      retryable: false,
      retry_after_ms: 60_000,
      write_outcome: 'unknown',
      next: { action: 'verify', capability: 'export.view', input: { id: 8 } },
      details: { status_url: `${service.url}/exports/8` },
    })
    expect(await data('export.view', { id: 8 })).toEqual({ state: 'running' })
  },
  TIMEOUT,
)
