import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http'

/** One answer, as sent. */
export interface RecordedAnswer {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly requestHeaders: IncomingMessage['headers']
  readonly status: number
  /** Null if the answer has no such header. */
  readonly contentType: string | null
  /** Names of the headers, in lower case. */
  readonly headers?: readonly string[]
  readonly body: string
}

/** Keep this many answers of each kind: checking more costs time and finds nothing. */
const KEPT_PER_KIND = 5

/** Records the answers of a server from now on. */
export function recordAnswers(server: Server): readonly RecordedAnswer[] {
  const answers: RecordedAnswer[] = []
  const kept = new Map<string, number>()
  // Fastify answers some requests before its own listener returns, so this one has to come first.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const capture = captureResponse(response)
    response.once('finish', () => {
      const { method = 'GET', url = '/', headers: requestHeaders } = request
      const { statusCode: status } = response
      const kind = `${method} ${url.split('?')[0]} ${status}`
      const count = (kept.get(kind) ?? 0) + 1
      kept.set(kind, count)
      if (count <= KEPT_PER_KIND) {
        answers.push({ method, url, requestHeaders, status, ...capture() })
      }
    })
  })
  return answers
}

/** Copies the body that is written to a response. */
function captureResponse(
  response: ServerResponse,
): () => Pick<RecordedAnswer, 'contentType' | 'headers' | 'body'> {
  const chunks: Buffer[] = []
  let contentType: string | null = null
  let names: readonly string[] = []
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk))
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
  }
  const write = response.write.bind(response)
  const end = response.end.bind(response)
  const writeHead = response.writeHead.bind(response)
  response.write = ((...args: Parameters<typeof write>) => {
    keep(args[0])
    return write(...args)
  }) as typeof write
  response.end = ((...args: Parameters<typeof end>) => {
    keep(args[0])
    return end(...args)
  }) as typeof end
  response.writeHead = ((status: number, ...rest: unknown[]) => {
    const headers = rest.find(part => typeof part === 'object') as OutgoingHttpHeaders | undefined
    contentType =
      String(headers?.['content-type'] ?? response.getHeader('content-type') ?? '') || null
    names = [...Object.keys(headers ?? {}), ...response.getHeaderNames()].map(name =>
      name.toLowerCase(),
    )
    return writeHead(status, ...(rest as [OutgoingHttpHeaders]))
  }) as typeof writeHead
  // Node sends no body with a 304, even if one is written.
  return () => ({
    contentType,
    headers: names,
    body: response.statusCode === 304 ? '' : Buffer.concat(chunks).toString(),
  })
}
