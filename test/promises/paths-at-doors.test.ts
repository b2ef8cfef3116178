import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fault } from '../../sandbox/index.ts'
import { ROUTES, type Route } from '../../src/model/route.ts'
import { signalbox } from '../commands/support/signalbox.ts'
import { addBranches, branches } from '../parity/hostile/world.ts'
import { hello } from '../parity/worlds.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { gh } from '../support/parts.ts'

const CAPABILITY = 'repo.branch.delete'
const routes = ROUTES.filter(route => route !== 'cli' || gh.available)

/** Asks for the deletion of a branch and returns the whole answer as text. */
type Door = (gateway: TestGateway, branch: string) => Promise<string>

const DOORS: Readonly<Record<string, Door>> = {
  HTTP: (gateway, branch) => post(gateway, `/v1/capabilities/${CAPABILITY}`, { ...hello, branch }),
  batch: (gateway, branch) =>
    post(gateway, '/v1/batch', {
      calls: [{ capability: CAPABILITY, input: { ...hello, branch } }],
    }),
  'the tool call of MCP': (gateway, branch) =>
    post(gateway, '/mcp?profile=default', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'call',
        arguments: { capability: CAPABILITY, input: { ...hello, branch } },
      },
    }),
  MCP: (gateway, branch) =>
    post(gateway, '/mcp?tools=all&profile=default', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: CAPABILITY.replaceAll('.', '_'), arguments: { ...hello, branch } },
    }),
  'the command line': async ({ sandbox }, branch) => {
    const words = Object.entries({ ...hello, branch }).map(([name, value]) => `${name}=${value}`)
    const { stdout } = await signalbox(['call', CAPABILITY, ...words], {
      GITHUB_API_URL: sandbox.url,
      GITHUB_GRAPHQL_URL: `${sandbox.url}/graphql`,
      GITHUB_UPLOAD_URL: `${sandbox.url}`,
      GITHUB_TOKEN: 'sandbox-token',
      GH_CONFIG_DIR: dirname(sandbox.socketPath ?? ''),
      SIGNALBOX_JOURNAL: ':memory:',
    })
    return stdout
  },
}

async function post({ url }: TestGateway, path: string, body: unknown): Promise<string> {
  const accept = 'application/json, text/event-stream'
  const headers = { 'content-type': 'application/json', accept }
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return await response.text()
}

/** Makes the routes before this one fail, so that the gateway falls back to it. */
function faultsBefore(route: Route): Fault[] {
  const order = ['rest', 'graphql', 'cli'] as const
  return order.slice(0, order.indexOf(route)).map(before => ({
    on: { via: 'tcp', route: before as 'rest' | 'graphql' },
    do: { status: 503, headers: { 'x-envoy-overloaded': 'true' } },
    times: 1000,
  }))
}

describe.each(Object.entries(DOORS))('%s', (_name, ask) => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway[Symbol.asyncDispose]())

  test.each(routes)(
    'the named branch is deleted, after a fallback to %s',
    async route => {
      gateway.sandbox.reset()
      addBranches(gateway.sandbox.store, ['feature', 'feature#1', 'a/b', 'a%2Fb'])
      gateway.sandbox.faults.set(faultsBefore(route))
      for (const branch of ['feature#1', 'a%2Fb']) {
        const answer = await ask(gateway, branch)
        expect(answer.replaceAll('\\"', '"')).toMatch(new RegExp(`"route_used": ?"${route}"`))
      }
      expect(branches(gateway.sandbox.store)).toEqual(['a/b', 'feature'])
    },
    120_000,
  )

  test('a branch that climbs is refused, and nothing is sent', async () => {
    gateway.sandbox.reset()
    const answer = await ask(gateway, '../../../user')
    expect(answer).toContain('VALIDATION')
    expect(gateway.sandbox.log.rows()).toEqual([])
  })
})
