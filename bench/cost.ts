/**
 * Sends 80 kB of hostile texts to every endpoint that takes a body, and compares the time with that of 80 kB of `x`.
 * Fails if one takes more than 20 times as long.
 */
import { startTestGateway } from '../test/support/gateway.ts'

const SIZE = 80_000
const MOST = 20
/** Shorter times are noise of the machine. */
const NOTICEABLE_MS = 20

const repeat = (unit: string) => unit.repeat(Math.ceil(SIZE / unit.length)).slice(0, SIZE)
const TEXTS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    '"',
    '\\',
    ' ',
    '\n',
    "'a ",
    '`',
    'a.',
    'a/',
    '0',
    'eyJaaaaaaaa-',
    '-----BEGIN ',
    'bearer ',
    'a://',
    '😀',
    '\u0301',
    '../',
    '%2e',
    '<',
    '{{',
    '#1 (',
  ].map(unit => [JSON.stringify(unit), repeat(unit)]),
)

const many = (entry: (at: number) => [string, unknown]) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: SIZE / 10 }, (_, at) => entry(at))))

const issue = (text: string) =>
  JSON.stringify({ owner: text, name: text.slice(0, 100), title: text, body: text })
const BODIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(TEXTS).map(([name, text]) => [name, issue(text)])),
  'unknown members': many(at => [`m${at}`, 1]),
  'a long member': JSON.stringify({ [repeat('m')]: 1 }),
  'deep lists': repeat('[') + ']'.repeat(SIZE),
  'deep objects': '{"a":'.repeat(SIZE / 5) + '1' + '}'.repeat(SIZE / 5),
  digits: `{"number":${'9'.repeat(SIZE)}}`,
  zeros: `{"number":1${'0'.repeat(SIZE)}1}`,
  'no JSON': repeat('x'),
}
const PLAIN = issue(repeat('x'))

const call = (capability: string, input: string) =>
  `{"capability":"${capability}","input":${input}}`
const ENDPOINTS: Readonly<Record<string, (body: string) => string>> = {
  '/v1/capabilities/issue.create': body => body,
  '/v1/capabilities/issue.create/explain': body => body,
  '/v1/capabilities/graphql.query': body => body,
  '/v1/batch': body => `{"calls":[${call('issue.create', body)}]}`,
  '/mcp': body =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"issue_create","arguments":${body}}}`,
}

await using gateway = await startTestGateway()

async function timeOf(path: string, body: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const start = performance.now()
    const response = await fetch(gateway.url + path, { method: 'POST', headers, body })
    await response.arrayBuffer()
    times.push(performance.now() - start)
  }
  return Math.min(...times)
}

for (const [path, wrap] of Object.entries(ENDPOINTS)) {
  const plain = await timeOf(path, wrap(PLAIN))
  for (const [name, body] of Object.entries(BODIES)) {
    const ms = await timeOf(path, wrap(body))
    const ratio = ms / plain
    const isSlow = ratio > MOST && ms > NOTICEABLE_MS
    if (isSlow) process.exitCode = 1
    if (isSlow || ratio > 3) {
      console.log(
        `${path} ${name}: ${ms.toFixed(1)} ms, ${ratio.toFixed(1)} × (${plain.toFixed(1)} ms)`,
      )
    }
  }
}
