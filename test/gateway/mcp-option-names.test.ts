import { expect, onTestFinished, test } from 'vitest'
import { startTestGateway } from '../support/gateway.ts'

const KEY = { name: 'agent', secret: 'agent-secret-0123456789', approve: ['write:*'] }
const INPUT = { owner: 'octo-org', name: 'hello-world', title: 'New' }

const TOOLS = {
  'the tool call': [
    'search',
    (options: object) => ({
      name: 'call',
      arguments: { capability: 'issue.create', input: INPUT, ...options },
    }),
  ],
  'a tool of its own': [
    'all',
    (options: object) => ({ name: 'issue_create', arguments: { ...INPUT, ...options } }),
  ],
} as const

const FAULTS = [
  ['approval_id', { approval_id: 'of-another-call' }],
  ['approval_id', { approval_id: 'no id' }],
  ['approval_id', { approval_id: 5 }],
  ['idempotency_key', { idempotency_key: 'é' }],
] as const

const ROWS = Object.entries(TOOLS).flatMap(([title, [words, use]]) =>
  FAULTS.map(([name, options]) => ({ title, words, use, name, options })),
)

test.each(ROWS)('$title names its argument $name: $options', async row => {
  const gateway = await startTestGateway({ settings: { keys: [KEY] } })
  onTestFinished(() => gateway[Symbol.asyncDispose]())
  const response = await fetch(`${gateway.url}/mcp?tools=${row.words}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${KEY.secret}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: row.use(row.options),
    }),
  })
  const text = (await response.text()).replace(/^(event: \w+\n)?data: /, '')
  const { error } = JSON.parse(JSON.parse(text).result.content[0].text)
  expect(error.next).toMatchObject({ action: 'fix_input', fields: [row.name] })
})
