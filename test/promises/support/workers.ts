import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { onTestFinished } from 'vitest'
import { type Running, serve, type Variables } from '../../commands/support/signalbox.ts'
import { until } from '../../support/until.ts'

export const REPOSITORY = { owner: 'octo-org', name: 'hello-world' }

/** A running gateway of several workers. */
export interface Workers extends Running {
  /** The process of each worker that runs now, by its number. */
  pids(): ReadonlyMap<number, number>
}

interface Line {
  readonly worker?: number
  readonly pid: number
  readonly msg: string
}

const START_MS = 120_000

/** Starts `serve` with so many workers, and waits until all of them listen. */
export async function startWorkers(count: number, env: Variables, port = 0): Promise<Workers> {
  const gateway = await serve({ ...env, SIGNALBOX_WORKERS: String(count) }, port)
  const pids = () => {
    const lines = gateway.log().split('\n').slice(0, -1)
    const listening = lines
      .map(line => JSON.parse(line) as Line)
      .filter(({ msg }) => msg.startsWith('listening on'))
    return new Map(listening.map(({ worker = 0, pid }) => [worker, pid]))
  }
  await until(pids, ({ size }) => size === count, START_MS)
  return { ...gateway, pids }
}

export interface Answer {
  readonly status: number
  readonly body: {
    readonly ok: boolean
    readonly data: Record<string, unknown> & { readonly items?: readonly Record<string, unknown>[] }
    readonly error: { readonly code: string; readonly write_outcome?: string } | null
    readonly meta: {
      readonly request_id: string
      readonly attempts?: readonly { readonly route: string; readonly reason?: string }[]
    }
  }
}

export interface Sending {
  readonly method?: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The socket file of a proxy before the gateway. */
  readonly socketPath?: string
}

/** Sends a request on a connection of its own, so that any worker may get it. Rejects if the connection breaks. */
export function send({ url }: Pick<Running, 'url'>, sending: Sending): Promise<Answer> {
  const { path, body, headers = {}, method = body === undefined ? 'GET' : 'POST' } = sending
  const { socketPath } = sending
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}${path}`,
      { method, agent: false, headers: { ...type, ...headers }, socketPath },
      response => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (text += chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: parsed(text) as Answer['body'] }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

function parsed(text: string): unknown {
  return text.startsWith('{') ? JSON.parse(text) : text
}

export function call(
  gateway: Pick<Running, 'url'>,
  id: string,
  input: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const path = `/v1/capabilities/${id}?route=rest`
  return send(gateway, { path, body: { ...REPOSITORY, ...input }, headers })
}

/** Follows the stream of requests on one connection until the test ends. Resolves when the stream has begun. */
export async function watch(url: string, secret: string): Promise<() => readonly string[]> {
  let text = ''
  const headers = { authorization: `Bearer ${secret}` }
  const sent = request(`${url}/v1/requests/stream`, { agent: false, headers })
  onTestFinished(() => void sent.destroy())
  const begun = once(sent, 'response') as Promise<[IncomingMessage]>
  sent.end()
  const [response] = await begun
  sent.on('error', () => {})
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => (text += chunk))
  response.on('error', () => {})
  return () => text.split('\n').filter(line => line === 'event: request')
}
