import { expect, onTestFinished, test } from 'vitest'
import { startTestGateway } from '../support/gateway.ts'
import { runPackaged } from './support.ts'

const CONFORMANCE = '@modelcontextprotocol/conformance/dist/index.js'

/** Scenarios of the suite that a server with tools, and nothing else, can play. */
const APPLICABLE = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']

/** The reasons why the others do not apply. */
const NOT_APPLICABLE: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^tools-call-/, 'they call tools with fixed names and answers, which only a test server has'],
  [/^json-schema-/, 'it lists a tool with a fixed name'],
  [/^(resources|prompts)-/, 'the gateway offers tools only'],
  [/^(logging|completion)-/, 'the gateway does not declare these features'],
  [/^elicitation-/, 'they call tools with fixed names'],
  [/^server-sse-/, 'the gateway has no sessions, and so no stream to resume'],
]

test('every scenario of the suite is played, or has a reason', async () => {
  const { output } = await runPackaged(CONFORMANCE, ['list', '--server'])
  const scenarios = [...output.matchAll(/^ {2}- ([\w-]+)/gm)].map(([, name]) => name ?? '')
  expect(scenarios).toEqual(expect.arrayContaining(APPLICABLE))
  const unnamed = scenarios.filter(
    name => !APPLICABLE.includes(name) && !NOT_APPLICABLE.some(([pattern]) => pattern.test(name)),
  )
  expect(unnamed).toEqual([])
})

test.each(APPLICABLE)('the gateway conforms in %s', async scenario => {
  const gateway = await startTestGateway()
  onTestFinished(() => gateway[Symbol.asyncDispose]())
  const args = ['server', '--url', `${gateway.url}/mcp`, '--scenario', scenario]
  const { code, output } = await runPackaged(CONFORMANCE, args)
  expect(output).toMatch(/Passed: (\d+)\/\1, 0 failed, 0 warnings/)
  expect(code).toBe(0)
})
