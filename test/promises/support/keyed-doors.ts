import { sendBatch } from '../../support/batch.ts'
import type { TestGateway } from '../../support/gateway.ts'
import type { AnyEnvelope } from './sandbox-doors.ts'
import { headersOf } from './six-keys.ts'

type Input = Readonly<Record<string, unknown>>

/** A call under a gateway key, with options in the words of a batch: `idempotency_key`, `max_age_ms`. */
export interface KeyedCall {
  readonly key: string
  readonly id: string
  readonly input: Input
  readonly options?: Input
}
type KeyedDoor = (gateway: TestGateway, call: KeyedCall) => Promise<AnyEnvelope>

/** The doors of a gateway that listens. */
export const KEYED_DOORS: Readonly<Record<string, KeyedDoor>> = {
  HTTP: async (gateway, { key, id, input, options = {} }) => {
    const { idempotency_key: name, ...query } = options as Record<string, string>
    const headers = {
      ...headersOf(key),
      ...(name === undefined ? {} : { 'idempotency-key': name }),
    }
    return (await gateway.call(id, input, { query, headers })).body
  },
  batch: async (gateway, { key, id, input, options }) => {
    const calls = [{ capability: id, input, ...options }]
    const { results } = await sendBatch(gateway, { calls }, { headers: headersOf(key) })
    return results[0]?.envelope as AnyEnvelope
  },
  'the tools of MCP': async (gateway, { key, id, input, options }) =>
    (await useTool(gateway, key, '?tools=all&profile=default', {
      name: id.replaceAll('.', '_'),
      arguments: { ...input, ...options },
    })) as AnyEnvelope,
  'the tool call of MCP': async (gateway, { key, id, input, options }) =>
    (await useTool(gateway, key, '?profile=default', {
      name: 'call',
      arguments: { capability: id, input, ...options },
    })) as AnyEnvelope,
  'the tool batch of MCP': async (gateway, { key, id, input, options }) => {
    const answer = await useTool(gateway, key, '?profile=default', {
      name: 'batch',
      arguments: { calls: [{ capability: id, input, ...options }] },
    })
    const { data } = answer as { data: { results: { envelope: AnyEnvelope }[] } }
    return data.results[0]?.envelope as AnyEnvelope
  },
}

/** Uses a tool of MCP, and returns the value that its first text holds. */
export async function useTool(
  gateway: TestGateway,
  key: string,
  query: string,
  params: object,
): Promise<unknown> {
  const [text = 'null'] = await textsOf(gateway, key, query, params)
  return JSON.parse(text)
}

/** Uses a tool of MCP, and returns its texts. */
export async function textsOf(
  { url }: Pick<TestGateway, 'url'>,
  key: string,
  query: string,
  params: object,
): Promise<readonly string[]> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const response = await fetch(`${url}/mcp${query}`, {
    method: 'POST',
    headers: headersOf(key),
    body: JSON.stringify(message),
  })
  const [, json = '{}'] = /^(?:data: )?(\{.*\})$/m.exec(await response.text()) ?? []
  const { result } = JSON.parse(json) as { result?: { content: { text: string }[] } }
  return result?.content.map(({ text }) => text) ?? []
}
