import type { Hold } from '../../../src/lib/byte-budget.ts'
import { decodeText } from '../../../src/lib/charset.ts'
import { hideInBytes, hideInHeaders } from '../../../src/lib/hide-secrets.ts'
import type { Headers } from '../../../src/model/headers.ts'
import type { HttpAnswer, HttpResult } from './answer.ts'
import { GatewayFullError, type RawAnswer } from './collector.ts'
import { decodeBody } from './decode.ts'
import { essenceOf, isJsonType } from './media-type.ts'

export interface Reading {
  readonly requests: number
  /** The most bytes that an answer may unpack to. */
  readonly limit: number
  readonly held?: Hold | undefined
  /** Whether the body of a success is kept as bytes. */
  readonly binary?: boolean | undefined
  /** Texts to hide if the service echoes them. */
  readonly secrets?: readonly string[] | undefined
}

/** Synchronous for answers that are not encoded, which most are not: saves a turn of the event loop. */
export function readAnswer(answer: RawAnswer, reading: Reading): HttpResult | Promise<HttpResult> {
  const encoding = answer.headers['content-encoding']
  if (encoding !== undefined) return readEncoded(answer, encoding, reading)
  try {
    return decoded(answer, answer.body, reading)
  } catch (error) {
    return broken(answer, error, reading)
  }
}

async function readEncoded(
  answer: RawAnswer,
  encoding: string,
  reading: Reading,
): Promise<HttpResult> {
  try {
    const body = await decodeBody(answer.body, encoding, reading.limit)
    if (reading.held?.take(body.length) === false) throw new GatewayFullError()
    return decoded(answer, body, reading)
  } catch (error) {
    return broken(answer, error, reading)
  }
}

const NO_SECRETS: readonly string[] = []

function decoded(
  { status, headers: sent, endedEarly }: RawAnswer,
  bytes: Buffer,
  { requests, held, binary, secrets = NO_SECRETS }: Reading,
): HttpAnswer {
  const body = hideInBytes(bytes, secrets)
  const headers = hideInHeaders(sent, secrets)
  const early = endedEarly ? { endedEarly } : {}
  if (!binary || status >= 300) {
    return { ok: true, status, headers, text: readText(body, headers, status), requests, ...early }
  }
  // Base64 takes four bytes for three.
  if (held?.take(Math.ceil(body.length / 3) * 4) === false) throw new GatewayFullError()
  // A status of a job is JSON, also where its result is bytes.
  const isJson = isJsonType(essenceOf(headers['content-type']))
  const text = isJson ? readText(body, headers, status) : ''
  return { ok: true, status, headers, text, bytes: body, requests }
}

/** Decodes leniently when the upstream reports a failure: its text only becomes a message. */
function readText(body: Buffer, headers: Headers, status: number): string {
  try {
    return decodeText(body, headers['content-type'])
  } catch (error) {
    if (status >= 400) return body.toString()
    throw error
  }
}

function broken({ status, headers }: RawAnswer, error: unknown, { requests }: Reading): HttpResult {
  return { ok: false, phase: 'body', error, status, headers, requests }
}
