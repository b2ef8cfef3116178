import type { FastifyInstance } from 'fastify'
import plugin from 'fastify-plugin'
import type { ByteBudget } from '../../src/lib/byte-budget.ts'
import { decodeText, UnreadableTextError } from '../../src/lib/charset.ts'
import { mayBeInexact, parseJson } from '../../src/lib/exact-json.ts'
import { isTooDeep, MAX_NESTING } from '../../src/lib/nesting.ts'
import { GatewayError } from '../../src/model/errors.ts'
import { BodyCount, readBody } from './read-body.ts'

export interface JsonBodyOptions {
  /** Bounds the bytes of all bodies together. */
  readonly budget: ByteBudget
  /** Bounds one body. */
  readonly limit: number
}

/** Reads JSON bodies without losing digits or characters, and refuses encodings that nobody decodes. */
export const jsonBody = plugin<JsonBodyOptions>(
  (app, { budget, limit }, done) => {
    app.decorateRequest('bodyCount', null as never)
    app.decorateRequest('ending', null)
    app.addHook('preParsing', (request, reply, payload, next) => {
      const { 'content-encoding': encoding, 'content-type': type } = request.headers
      // A page can send other types to another origin without asking first.
      if (request.method === 'POST' && !request.is404 && !isJson(type)) return next(notJson())
      if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
        return next(unsupportedEncoding(encoding))
      if (!BODYLESS.has(request.method)) request.bodyCount = new BodyCount(budget, reply)
      next(null, payload)
    })
    const parseJsonBody = bodyParser(checkedParser(app))
    // Fastify's own parsers would read bodies that nobody counts.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/json', (request, payload, end) => {
      readBody(request, payload, limit, (error, body) => {
        if (body === undefined) end(error)
        else parseJsonBody(body, request.headers['content-type'], end)
      })
    })
    done()
  },
  { name: 'json-body' },
)

/** Fastify reads no body of these. */
const BODYLESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'TRACE'])

function isJson(type: string | undefined): boolean {
  return type === 'application/json' || /^application\/json\s*(;|$)/i.test(type ?? '')
}

function notJson(): GatewayError {
  return new GatewayError('VALIDATION', 'Send the body as "Content-Type: application/json".', {
    source: 'caller',
    status: 415,
    details: { fields: [{ path: 'content-type', message: 'must be application/json' }] },
  })
}

function bodyParser(parse: (text: string, end: End) => void) {
  return (body: Buffer, type: string | undefined, end: End) => {
    try {
      const text = decodeText(body, type)
      if (isTooDeep(text)) return end(tooDeep())
      parse(text, end)
    } catch (error) {
      end(error instanceof UnreadableTextError ? unreadable(error) : (error as Error))
    }
  }
}

type End = (error: Error | null, value?: unknown) => void

/** Fastify's own parser refuses bodies that would poison prototypes, with errors that callers know. */
function checkedParser(app: FastifyInstance): (text: string, end: End) => void {
  const parse = app.getDefaultJsonParser('error', 'error')
  return (text, end) => {
    void parse(null as never, text, (error: Error | null, value?: unknown) => {
      if (error) end(error)
      else end(null, value !== undefined && mayBeInexact(text) ? parseJson(text) : value)
    })
  }
}

function unsupportedEncoding(encoding: string): GatewayError {
  const name = encoding.slice(0, 40)
  return new GatewayError(
    'VALIDATION',
    `Content-Encoding ${JSON.stringify(name)} is not supported. Send the body uncompressed.`,
    {
      source: 'caller',
      status: 415,
      details: { fields: [{ path: 'content-encoding', message: 'is not supported' }] },
    },
  )
}

function tooDeep(): GatewayError {
  const message = `is nested more than ${MAX_NESTING} levels deep`
  return new GatewayError('VALIDATION', `The body ${message}.`, {
    source: 'caller',
    details: { fields: [{ path: 'body', message }] },
  })
}

function unreadable({ message }: UnreadableTextError): GatewayError {
  return new GatewayError('VALIDATION', `The body cannot be read: ${message}. Send UTF-8.`, {
    source: 'caller',
    details: { fields: [{ path: 'body', message }] },
  })
}
