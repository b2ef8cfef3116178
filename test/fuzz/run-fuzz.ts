import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import * as fc from 'fast-check'
import { startTestGateway } from '../support/gateway.ts'
import { type FuzzRequest, fuzzRequests } from './requests.ts'

/** Secrets that no answer, log line or journal row may hold. */
const CANARY_KEY = 'canary-key-4f0c91aa77'
const CANARIES = [CANARY_KEY, 'sandbox-token']

interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
}

/** Sends random requests with hostile parts, one after the other; throws with the smallest request that breaks a rule. */
export async function runFuzz({ seed, runs }: { seed: number; runs: number }): Promise<void> {
  const log: string[] = []
  await using gateway = await startTestGateway({
    settings: {
      keys: [{ name: 'fuzz', secret: CANARY_KEY, operator: true }],
      journal_payloads: 'redacted',
      timeout_ms: 3000,
    },
    onLog: line => log.push(JSON.stringify(line)),
  })
  const endpoints = await listEndpoints(gateway.url)
  const requests = fuzzRequests(gateway.engine.catalog, endpoints)
  const rule = fc.asyncProperty(requests, async asked => {
    const fault = faultOf(asked, await send(gateway.url, asked)) ?? leakIn(log.splice(0))
    if (fault !== null) throw new Error(`${fault}\n${JSON.stringify(asked)}`)
  })
  await fc.assert(rule, { seed, numRuns: runs, endOnFailure: false })
  const journal = await send(gateway.url, {
    method: 'GET',
    path: '/v1/requests?limit=100',
    headers: {},
    body: null,
  })
  const leak = leakIn([journal.body])
  if (leak !== null) throw new Error(leak)
}

/** Paths of GET endpoints that answer data: a stream never ends, and the inspector serves pages. */
async function listEndpoints(url: string): Promise<string[]> {
  const { body } = await send(url, {
    method: 'GET',
    path: '/openapi.json',
    headers: {},
    body: null,
  })
  const { paths } = JSON.parse(body) as { paths: Record<string, object> }
  return Object.entries(paths)
    .filter(([path, item]) => 'get' in item && !/stream$|^.inspector/.test(path))
    .map(([path]) => path)
}

function send(url: string, { method, path, headers, body }: FuzzRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const given = { authorization: `Bearer ${CANARY_KEY}`, ...headers }
    // A connection of its own for each: an error then belongs to this request.
    const options = { method, headers: given, agent: false }
    const outgoing = request(`${url}${path}`, options, response => {
      text(response).then(
        received =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? '',
            body: received,
          }),
        reject,
      )
    })
    outgoing.on('error', reject)
    outgoing.end(body ?? undefined)
  })
}

/** The rule that an answer breaks, or null. */
function faultOf({ path, method }: FuzzRequest, { status, type, body }: Answer): string | null {
  const leak = leakIn([body])
  if (leak !== null) return leak
  if (status >= 200 && status < 400) return null
  if (path.startsWith('/mcp') && status < 500) return null
  if (!/json/.test(type)) return `${method} answered ${status} with ${type || 'no type'}`
  let envelope: Readonly<Record<string, unknown>>
  try {
    envelope = JSON.parse(body) as typeof envelope
  } catch {
    return `${method} answered ${status} with a body that is not JSON`
  }
  return bugIn(envelope, status, body)
}

function bugIn(
  envelope: Readonly<Record<string, unknown>>,
  status: number,
  body: string,
): string | null {
  if (/The gateway failed/.test(body)) return 'a bug of the gateway'
  const error = (envelope.error ?? envelope.err ?? envelope) as { code?: string; source?: string }
  if (error.code === 'UNKNOWN') return 'an error of unknown kind'
  // A gateway may fail a call for its upstream, or announce that it is overloaded.
  const isAnnounced = [501, 502, 503, 504].includes(status)
  return status >= 500 && !isAnnounced ? `status ${status}` : null
}

function leakIn(texts: readonly string[]): string | null {
  for (const one of texts) {
    const canary = CANARIES.find(secret => one.includes(secret))
    if (canary !== undefined)
      return `a secret leaked: …${one.slice(Math.max(0, one.indexOf(canary) - 80), one.indexOf(canary))}…`
  }
  return null
}
