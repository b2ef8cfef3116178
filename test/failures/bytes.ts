import { STATUS_CODES } from 'node:http'
import zlib from 'node:zlib'
import type { Observed } from './case.ts'

/** The bytes of the observed answer. */
export function answerBytes(observed: Observed): Buffer {
  const { status = 200, headers = {} } = observed
  const body = bodyBytes(observed)
  const names = Object.keys(headers).map(name => name.toLowerCase())
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map(item => `${name}: ${item}`),
  )
  const bodiless = status === 204 || status === 304
  const framed = names.includes('content-length') || names.includes('transfer-encoding')
  if (!bodiless && !framed) lines.push(`content-length: ${body.length}`)
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', ''].join('\r\n')
  return Buffer.concat([
    Buffer.from(head, 'latin1'),
    chunked(names, headers) ? asChunks(body) : body,
  ])
}

/** Whether the body is shorter than its content length: then the connection must end after it. */
export function endsEarly(observed: Observed): boolean {
  const length = Object.entries(observed.headers ?? {}).find(([name]) =>
    /^content-length$/i.test(name),
  )
  return length !== undefined && Number(length[1]) > bodyBytes(observed).length
}

/** `body` was recorded as JSON after decoding; `body_text` and `body_base64`, as they were sent. */
function bodyBytes({ method, body, body_text, body_base64, headers = {} }: Observed): Buffer {
  if (method === 'HEAD') return Buffer.alloc(0)
  if (body_base64 !== undefined) return Buffer.from(body_base64, 'base64')
  if (body_text !== undefined) return Buffer.from(body_text)
  if (body === undefined) return Buffer.alloc(0)
  const json = Buffer.from(JSON.stringify(body))
  const encoding = Object.entries(headers).find(([name]) => /^content-encoding$/i.test(name))?.[1]
  return encoding === 'gzip' ? zlib.gzipSync(json) : json
}

function chunked(names: readonly string[], headers: NonNullable<Observed['headers']>): boolean {
  return names.includes('transfer-encoding') && /chunked/i.test(JSON.stringify(headers))
}

function asChunks(body: Buffer): Buffer {
  const head = Buffer.from(`${body.length.toString(16)}\r\n`)
  const end = Buffer.from('\r\n0\r\n\r\n')
  return body.length === 0 ? Buffer.from('0\r\n\r\n') : Buffer.concat([head, body, end])
}
