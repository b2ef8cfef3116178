/** A child process: a crowd of clients, each of which sends its next call when it has the answer to the last one. */
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

export interface Crowd {
  readonly port: number
  readonly connections: number
  readonly ms: number
  readonly deadlineMs: number
}

export interface CrowdResult {
  readonly answers: readonly { readonly status: number; readonly ms: number }[]
  /** Calls without an answer. */
  readonly failed: number
}

/** A client that is refused waits as long as the answer says. */
const RETRY_AFTER_MS = 1_000

process.on('message', (crowd: Crowd) => {
  void run(crowd).then(result => process.send?.(result))
})
process.once('disconnect', () => process.exit())
process.send?.('ready')

async function run({ port, connections, ms, deadlineMs }: Crowd): Promise<CrowdResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const answers: { status: number; ms: number }[] = []
  let failed = 0
  const until = performance.now() + ms
  const client = async (number: number) => {
    for (let turn = 0; performance.now() < until; turn++) {
      const began = performance.now()
      try {
        const status = await send({ agent, port, deadlineMs, name: `of-${number}-${turn}` })
        answers.push({ status, ms: performance.now() - began })
        if (status === 503) await delay(RETRY_AFTER_MS)
      } catch {
        failed++
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, number) => client(number)))
  agent.destroy()
  return { answers, failed }
}

interface Sending {
  readonly agent: Agent
  readonly port: number
  readonly deadlineMs: number
  readonly name: string
}

function send({ agent, port, deadlineMs, name }: Sending): Promise<number> {
  const path = `/v1/capabilities/bench.repository?route=rest&timeout_ms=${deadlineMs}`
  const headers = { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request({ agent, port, host: '127.0.0.1', path, method: 'POST', headers })
    sent.on('error', reject)
    sent.on('response', response => {
      response.resume()
      response.on('error', reject)
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.end(JSON.stringify({ owner: 'octo-org', name }))
  })
}
