import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { decode, type ExportedSpan, readExport } from './protobuf.ts'

/** A collector of OpenTelemetry that decodes what it receives. */
export interface Collector extends AsyncDisposable {
  readonly url: string
  readonly spans: readonly ExportedSpan[]
  /** The resource of the last export. */
  readonly resource: Readonly<Record<string, unknown>>
  readonly exports: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[]
  /** All bytes that have arrived. */
  received(): string
}

/** @param status of its answers; null to never answer. */
export async function startCollector(status: number | null = 200): Promise<Collector> {
  const spans: ExportedSpan[] = []
  const bodies: Buffer[] = []
  const exports: { path: string; headers: IncomingHttpHeaders }[] = []
  let resource: Record<string, unknown> = {}
  const take = async (request: IncomingMessage) => {
    const body = await buffer(request)
    const exported = readExport(decode(body))
    resource = exported.resource
    spans.push(...exported.spans)
    bodies.push(body)
    exports.push({ path: request.url ?? '', headers: request.headers })
  }
  const server = createServer((request, response) => {
    const answer = () => {
      if (status !== null) response.writeHead(status).end()
    }
    take(request).then(answer, (error: Error) => response.destroy(error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    exports,
    get resource() {
      return resource
    },
    received: () => Buffer.concat(bodies).toString('latin1'),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
