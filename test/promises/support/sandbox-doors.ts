import { dirname } from 'node:path'
import type { Envelope } from '../../../src/model/envelope.ts'
import { signalbox } from '../../commands/support/signalbox.ts'
import { sendBatch } from '../../support/batch.ts'
import type { TestGateway } from '../../support/gateway.ts'
import { githubEnv } from '../../support/github.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every capability
export type AnyEnvelope = Envelope & { readonly data: any; readonly error: any }
type Input = Readonly<Record<string, unknown>>

/** Makes one call of the GitHub pack to a shared gateway, or its sandbox, and returns the envelope. */
export type Door = (gateway: TestGateway, id: string, input: Input) => Promise<AnyEnvelope>

/** Every kind of door, each to the same sandbox. */
export const DOORS = {
  HTTP: async (gateway, id, input) => (await gateway.call(id, input)).body,
  batch: async (gateway, id, input) => {
    const { results } = await sendBatch(gateway, { calls: [{ capability: id, input }] })
    return results[0]?.envelope as AnyEnvelope
  },
  MCP: callTool,
  'command line': async ({ sandbox }, id, input) => {
    const words = Object.entries(input).map(([name, value]) => `${name}=${wordOf(value)}`)
    const { stdout } = await signalbox(['call', id, ...words], {
      ...githubEnv(sandbox.url),
      GH_CONFIG_DIR: dirname(sandbox.socketPath ?? ''),
      SIGNALBOX_JOURNAL: ':memory:',
      SIGNALBOX_RETRIES: '0',
    })
    return JSON.parse(stdout)
  },
} satisfies Readonly<Record<string, Door>>

export type DoorName = keyof typeof DOORS
export const DOOR_NAMES = Object.keys(DOORS) as DoorName[]

/** Calls a tool. @param meta options of the call */
export async function callTool(
  { url }: TestGateway,
  id: string,
  input: Input,
  meta: Input = {},
): Promise<AnyEnvelope> {
  const params = { name: id.replaceAll('.', '_'), arguments: input, _meta: meta }
  const response = await fetch(`${url}/mcp?tools=all&profile=default`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const [, text = ''] = /^(?:data: )?(\{.*\})$/m.exec(await response.text()) ?? []
  const { result } = JSON.parse(text) as { result: { content: { text: string }[] } }
  return JSON.parse(result.content[0]?.text ?? '')
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
