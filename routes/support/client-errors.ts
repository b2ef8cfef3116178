import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { readCorrelationId } from '../../src/model/correlation-id.ts'
import { GatewayError, type GatewayErrorOptions } from '../../src/model/errors.ts'
import { describeGatewayError, failedAnswer } from '../../src/model/failed-envelope.ts'

/** Node keeps the answer that it is sending here; a second one must not land in the middle of it. */
interface AnsweringSocket extends Socket {
  readonly _httpMessage?: { readonly headersSent: boolean } | null
}

interface ClientError extends Error {
  readonly code?: string
}

/** Answers, with an envelope, the requests that Node's HTTP parser gives up on: Fastify never sees those. */
export function clientErrors(createId: () => string) {
  return (error: ClientError, socket: AnsweringSocket): void => {
    const isAnswering = socket._httpMessage?.headersSent === true
    if (socket.writable && !isAnswering && error.code !== 'ECONNRESET') {
      const id = createId()
      const { envelope, status } = describe(errorOf(error), id)
      const body = JSON.stringify(envelope)
      const head = [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'content-type: application/json; charset=utf-8',
        `content-length: ${Buffer.byteLength(body)}`,
        `x-request-id: ${id}`,
        'connection: close',
      ]
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
    }
    socket.destroySoon()
  }
}

/** Answers, with an envelope, a request with an `Expect` that Node does not meet. */
export function unmetExpectation(createId: () => string) {
  return ({ headers }: IncomingMessage, response: ServerResponse): void => {
    const id = createId()
    const what = JSON.stringify(headers.expect?.slice(0, 40))
    const error = refusal(417, `Expect: ${what} is not supported. Leave it out.`)
    const { envelope, status } = describe(error, id)
    const body = JSON.stringify(envelope)
    const correlationId = readCorrelationId(headers['x-correlation-id'], headers['x-request-id'])
    response.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'x-request-id': id,
      ...(correlationId === undefined ? {} : { 'x-correlation-id': correlationId }),
      connection: 'close',
    })
    response.end(body)
  }
}

function errorOf({ code = '' }: ClientError): GatewayError {
  return ERRORS[code]?.() ?? refusal(400, 'The request is not valid HTTP.')
}

function describe(error: GatewayError, id: string) {
  const meta = {
    capability_id: null,
    request_id: id,
    route_used: null,
    reason: null,
    attempts: [],
    duration_ms: 0,
    warnings: [],
  }
  return failedAnswer(describeGatewayError(error, null), meta, error.status)
}

const ERRORS: Readonly<Record<string, () => GatewayError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: () =>
    new GatewayError('TIMEOUT', 'The request did not arrive in time. Send it again, faster.', {
      source: 'caller',
      status: 408,
    }),
  HPE_HEADER_OVERFLOW: () => refusal(431, 'The headers are larger than this gateway accepts.'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: () => refusal(413, 'The chunk extensions are too large.'),
}

function refusal(status: number, message: string): GatewayError {
  const options: GatewayErrorOptions = { source: 'caller', status }
  return new GatewayError('VALIDATION', message, options)
}
