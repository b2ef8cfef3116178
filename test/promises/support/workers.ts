import { request } from 'node:http'
import { expect, onTestFinished } from 'vitest'
import { type Running, serve, type Variables } from '../../commands/support/signalbox.ts'

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

/** Starts `serve` with so many workers, and waits until all of them listen. Ends it with the test. */
export async function startWorkers(count: number, env: Variables): Promise<Workers> {
  const gateway = await serve({ ...env, SIGNALBOX_WORKERS: String(count) })
  onTestFinished(() => gateway[Symbol.asyncDispose]())
  const pids = () => {
    const lines = gateway.log().split('\n').slice(0, -1)
    const listening = lines
      .map(line => JSON.parse(line) as Line)
      .filter(({ msg }) => msg.startsWith('listening on'))
    return new Map(listening.map(({ worker = 0, pid }) => [worker, pid]))
  }
  await expect.poll(() => pids().size, { timeout: 120_000 }).toBe(count)
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
}

/** Sends a request on a connection of its own, so that any worker may get it. Rejects if the connection breaks. */
export function send({ url }: Pick<Running, 'url'>, sending: Sending): Promise<Answer> {
  const { path, body, headers = {}, method = body === undefined ? 'GET' : 'POST' } = sending
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}${path}`,
      { method, agent: false, headers: { ...type, ...headers } },
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

/** The ids that the journal does not have. */
export async function missingFrom(
  gateway: Pick<Running, 'url'>,
  ids: readonly string[],
): Promise<readonly string[]> {
  const missing: string[] = []
  for (const id of ids) {
    const { status } = await send(gateway, { path: `/v1/requests/${id}` })
    if (status !== 200) missing.push(id)
  }
  return missing
}
