import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { toolName } from '../../routes/support/mcp-tools.ts'
import { PROVIDERS } from '../cards/providers.ts'
import { startTestGateway } from '../support/gateway.ts'
import { writePack } from '../support/packs.ts'

const LONG = `parts.${'very_'.repeat(20)}long.view`

test.each([
  ['issue.view', 'issue_view'],
  [LONG, expect.stringMatching(/^parts_very_.{43}_[0-9a-f]{8}$/)],
])('the tool of %s has a name that every provider takes', (id, expected) => {
  expect(toolName(id)).toEqual(expected)
  for (const provider of PROVIDERS) expect(toolName(id)).toMatch(provider.toolName)
})

test('two long ids that begin alike have names of their own, which stay', () => {
  expect(toolName(LONG)).not.toBe(toolName(`${LONG}er`))
  expect(toolName(LONG)).toBe(toolName(LONG))
})

test('a capability with a long id can be called by the name that is listed', async () => {
  const pack = await writePack({
    'upstream.yaml': 'id: inv\nrest: { base_url: "http://127.0.0.1:9" }\n',
    'long.yaml': [
      `id: ${LONG}`,
      'version: 1.0.0',
      'description: Show one part.',
      'effect: read',
      'input: { type: object, required: [sku], properties: { sku: { type: string } } }',
      'output: { type: object, properties: { sku: { type: string } } }',
      'prefer: [rest]',
      'routes: { rest: { method: GET, path: "/parts/{sku}", result: "body.{sku: sku}" } }',
    ].join('\n'),
  })
  await using gateway = await startTestGateway({ settings: { capabilities: [pack] } })
  const client = new Client({ name: 'tester', version: '1.2.3' })
  const address = new URL(`${gateway.url}/mcp?tools=parts.*`)
  await client.connect(new StreamableHTTPClientTransport(address))
  const { tools } = await client.listTools()
  const name = tools.find(({ title }) => title === LONG)?.name ?? ''
  const result = await client.callTool({ name, arguments: { part: 'x' } })
  expect(JSON.stringify(result.content)).toMatch(/VALIDATION.*sku/)
  await client.close()
})
