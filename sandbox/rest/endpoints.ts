import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify'
import { exchangeOf, runEndpoint } from '../exchange.ts'
import { readJsonObject } from '../json.ts'
import { requireAppWrite } from '../store/app-writes.ts'
import { type RestCall, repositoryOf } from './call.ts'
import { RestError } from './errors.ts'
import { mediaOf, routes } from './routes.ts'

export function restEndpoints(app: FastifyInstance): void {
  for (const [endpoint, handle] of Object.entries(routes)) {
    const [method, url] = endpoint.split(' ') as [HTTPMethods, string]
    app.route({
      method,
      url,
      handler(request, reply) {
        const call = callOf(request, mediaOf[endpoint] ?? [])
        const answer = runEndpoint(exchangeOf(request), () => {
          if (method !== 'GET') requireRight(url, call)
          return handle(call)
        })
        reply
          .code(answer.status)
          .headers(answer.headers ?? {})
          .send(answer.body)
      },
    })
  }
}

const OF_REPOSITORY = /^\/repos\/:owner\/:repo(?:\/([^/]+))?/

/** Users have rights of their own, which each handler checks. */
function requireRight(url: string, call: RestCall): void {
  const [path, area = ''] = OF_REPOSITORY.exec(url) ?? []
  if (path === undefined || call.principal.installation === null) return
  requireAppWrite(call.principal, repositoryOf(call), area)
}

function callOf(request: FastifyRequest, offered: readonly string[]): RestCall {
  const { store, principal } = exchangeOf(request)
  if (!principal) throw new Error('an endpoint was reached without a principal')
  const [path = '/'] = request.originalUrl.split('?', 1)
  return {
    store,
    principal,
    viewer: principal.user,
    origin: `${request.protocol}://${request.host}`,
    path,
    params: request.params as RestCall['params'],
    query: request.query as RestCall['query'],
    body: readJsonObject(request.body),
    raw: Buffer.isBuffer(request.body) ? request.body : NOTHING,
    contentType: request.headers['content-type'] ?? 'application/octet-stream',
    media: mediaIn(request.headers.accept, offered),
  }
}

const NOTHING = Buffer.alloc(0)

/** The requested format. Refuses formats that the endpoint lacks, rather than answer with JSON. */
function mediaIn(accept: string | undefined, offered: readonly string[]): string | null {
  if (accept === 'application/octet-stream' && offered.includes('octet-stream')) {
    return 'octet-stream'
  }
  if (/\.text-match\b/.test(accept ?? '') && offered.includes('text-match')) return 'text-match'
  const asked = /\.(diff|patch|sha|raw|text|html|full)\b/.exec(accept ?? '')?.[1]
  if (asked === undefined) return null
  if (offered.includes(asked)) return asked
  throw new RestError(415, `sandbox: the media type ${accept} is not modelled`)
}
