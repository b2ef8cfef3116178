import type { IncomingHttpHeaders } from 'node:http'
import { openService } from '../../support/service.ts'
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
  let resource: Record<string, unknown> = {}
  const service = await openService(({ body }, response) => {
    const exported = readExport(decode(body))
    resource = exported.resource
    spans.push(...exported.spans)
    if (status !== null) response.writeHead(status).end()
  })
  return {
    url: service.url,
    spans,
    get exports() {
      return service.received.map(({ url, headers }) => ({ path: url, headers }))
    },
    get resource() {
      return resource
    },
    received: () => Buffer.concat(service.received.map(({ body }) => body)).toString('latin1'),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}
