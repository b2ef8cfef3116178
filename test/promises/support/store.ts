import type { ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { type Received, type Service, sendJson, startService } from '../../support/service.ts'

/** A pack whose cards send and read bodies of all kinds, and the service that it is for. */
export const STORE = fileURLToPath(new URL('../../fixtures/capabilities/store', import.meta.url))

/** Exports by their ids: how often each has been looked at, if it ends at all. */
const looks = new Map<string, number>()

function sendExport(response: ServerResponse, id: string): void {
  const seen = (looks.get(id) ?? 0) + 1
  looks.set(id, seen)
  const headers = { 'content-type': 'application/json', 'retry-after': id === '8' ? '60' : '0' }
  const state = id !== '8' && seen > 2 ? 'done' : 'running'
  const body = { id: Number(id), state, ...(state === 'done' ? { url: '/report.csv' } : {}) }
  response.writeHead(200, headers).end(JSON.stringify(body))
}

type Endpoint = (request: Received, response: ServerResponse) => unknown

const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  'POST /v1/charges': ({ body }, response) => {
    const form = new URLSearchParams(body.toString())
    sendRaw(response, `{"id":"ch_1","amount":${form.get('amount')}}`, 'application/json')
  },
  'POST /documents': async (request, response) => {
    const file = (await formIn(request)).get('file') as File
    sendJson(response, { id: file.name, size: file.size })
  },
  'PUT /photo': ({ body, headers }, response) =>
    sendRaw(response, body, headers['content-type'] ?? ''),
  'PUT /note': ({ body }, response) =>
    sendRaw(response, Buffer.from(body.toString(), 'latin1'), 'text/plain; charset=iso-8859-1'),
  'POST /exports': ({ body }, response) => {
    const id = JSON.parse(body.toString()).format === 'never' ? '8' : '7'
    looks.delete(id)
    response.setHeader('location', `/exports/${id}`)
    sendExport(response, id)
  },
  'GET /exports/7': (_, response) => sendExport(response, '7'),
  'GET /exports/8': (_, response) => sendExport(response, '8'),
  'GET /report.csv': (_, response) =>
    sendRaw(response, 'sku;stock\nA;9007199254740993\n"B;2";é\n', 'text/csv; charset=utf-8'),
  'GET /parts.xml': (_, response) =>
    sendRaw(
      response,
      '<?xml version="1.0"?><parts><part sku="A"><stock>9007199254740993</stock></part></parts>',
      'application/xml',
    ),
}

export function startStore(): Promise<Service> {
  return startService((request, response) => {
    const endpoint = ENDPOINTS[`${request.method} ${request.url.split('?')[0]}`]
    if (endpoint) return void endpoint(request, response)
    sendJson(response, { message: 'no such thing' }, 404)
  })
}

export async function formIn({ headers, body }: Received): Promise<FormData> {
  const type = { 'content-type': String(headers['content-type']) }
  return await new Response(new Uint8Array(body), { headers: type }).formData()
}

function sendRaw(response: ServerResponse, body: string | Buffer, type: string): void {
  response.writeHead(200, { 'content-type': type }).end(body)
}
