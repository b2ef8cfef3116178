import { onTestFinished } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { githubEnv } from '../support/github.ts'
import type { TestRedis } from '../support/redis.ts'

export const REPOSITORY = { owner: 'octo-org', name: 'hello-world' }
export const CIRCUIT = 'github:rest'

type OnLog = (message: string) => void

/** Two gateways that share the sandbox of the first. */
export async function startTwo(url: string, onLog?: OnLog, env: Record<string, string> = {}) {
  const one = await startOne(url, null, onLog, env)
  return [one, await startOne(url, one, onLog, env)] as const
}

export async function startOne(
  url: string,
  neighbour: TestGateway | null = null,
  onLog: OnLog = () => {},
  more: Record<string, string> = {},
): Promise<TestGateway> {
  const upstream = neighbour ? githubEnv(neighbour.sandbox.url) : {}
  const env = { SIGNALBOX_STATE: url, ...upstream, ...more }
  const gateway = await startTestGateway({ env, onLog: line => onLog(JSON.stringify(line)) })
  onTestFinished(() => gateway[Symbol.asyncDispose]())
  return gateway
}

export function createIssue(gateway: TestGateway, title: string, key: string) {
  const headers = { 'idempotency-key': key }
  return gateway.call('issue.create', { ...REPOSITORY, title }, { headers })
}

export function arrived({ sandbox }: TestGateway, method: string): number {
  return sandbox.log.rows().filter(row => row.route === 'rest' && row.method === method).length
}

export function exhaustedPools({ engine }: TestGateway): string[] {
  const known = engine.state.pools.all().filter(({ remaining }) => remaining === 0)
  return known.map(({ pool }) => pool)
}

export function circuitOf({ engine }: TestGateway): string {
  return engine.state.breakers.kindOf(CIRCUIT, Date.now())
}

/** Opens a circuit so long ago that a probe is due. */
export function openLongAgo({ engine }: TestGateway): void {
  const time = Date.now() - 10_000
  for (let n = 0; n < 5; n++) engine.state.breakers.report(CIRCUIT, 'SERVER', time)
}

/** The keys that gateways have stored in a database. */
export async function keysOf(server: TestRedis, url: string, pattern: string): Promise<string[]> {
  return (await server.send(url, 'KEYS', `{signalbox}:1:${pattern}`)) as string[]
}
