import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect } from 'vitest'

const PRISM = new URL('../node_modules/@stoplight/prism-cli/dist/index.js', import.meta.url)
  .pathname

/** Faults of a request, as Prism names them. Others are about its own answer. */
const FAULTS =
  /#(UNPROCESSABLE_ENTITY|NO_PATH_MATCHED_ERROR|NO_METHOD_MATCHED_ERROR|NO_SERVER_MATCHED_ERROR|UNAUTHORIZED|INVALID_CONTENT_TYPE)$/

/** A validator of requests between a gateway and nothing. */
export interface Judge extends AsyncDisposable {
  readonly url: string
  /** The number of path segments that the document does not have. */
  prefix: number
  /** The verdicts since the last call: null for a valid request. */
  verdicts(): readonly (string | null)[]
}

/** Starts Prism with a document, and a proxy that keeps its verdicts. */
export async function startJudge(document: string): Promise<Judge> {
  const port = await freePort()
  const prism = spawn(process.execPath, [PRISM, 'mock', '--errors', '-p', String(port), document])
  let log = ''
  for (const stream of [prism.stdout, prism.stderr])
    stream.on('data', part => (log += String(part)))
  await expect
    .poll(() => `${log}${prism.exitCode ?? ''}`, { timeout: 240_000, interval: 200 })
    .toMatch(/listening on|\d$/)
  if (prism.exitCode !== null) throw new Error(`prism ended: ${log.slice(-2000)}`)
  return proxyTo(port, prism)
}

async function proxyTo(port: number, prism: ChildProcess): Promise<Judge> {
  let found: (string | null)[] = []
  const judge = { prefix: 0 }
  const server = createServer((request, response) => {
    forward(request, response, `http://127.0.0.1:${port}`, judge.prefix).then(
      verdict => found.push(verdict),
      (error: Error) => response.destroy(error),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(judge, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    verdicts: () => {
      const all = found
      found = []
      return all
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      prism.kill()
      if (prism.exitCode === null) await once(prism, 'exit')
    },
  })
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  to: string,
  prefix: number,
): Promise<string | null> {
  const { method = '', url = '', headers } = request
  const path = `/${url
    .split('/')
    .slice(1 + prefix)
    .join('/')}`
  const body = await buffer(request)
  const { connection: _, 'transfer-encoding': __, host: ___, ...sent } = headers
  const answer = await fetch(to + path, {
    method,
    headers: sent as Record<string, string>,
    redirect: 'manual',
    ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
  })
  const told = answer.status < 400 ? '' : await answer.text()
  response.writeHead(answer.ok ? 204 : answer.status, { 'content-type': 'application/json' }).end()
  const type = /"type":"([^"]*)"/.exec(told)?.[1] ?? ''
  return FAULTS.test(type)
    ? `${method} ${path} ${body.toString().slice(0, 300)}: ${told.slice(0, 600)}`
    : null
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
