import { execFile, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { compileInput, compileOutput } from '../../src/cards/validate.ts'
import { parseJson } from '../../src/lib/exact-json.ts'
import { SIGNALBOX } from '../commands/support/signalbox.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { writePack } from '../support/packs.ts'
import { type Received, startService } from '../support/service.ts'

/** Values that a double, or a guess at the charset, would change. */
const NUMBERS = {
  '2^53 + 1': '9007199254740993',
  'a negative one': '-9007199254740993',
  'twenty digits': '12345678901234567890',
  'many decimals': '0.1234567890123456789012',
  'beyond a double': '1e400',
}

const card = (route: string, section: string) => `
id: thing.echo.${route}
version: 1.0.0
description: Send a value and get it back.
effect: write
input: { type: object, required: [value], additionalProperties: false, properties: { value: {} } }
output: { type: object, required: [value], properties: { value: {} } }
prefer: [${route}]
routes:
  ${route}:
${section}
`

const FILES = (url: string) => ({
  'upstream.yaml': `
id: thing
description: Echoes.
rest: { base_url: "${url}" }
graphql: { url: "${url}/graphql" }
cli: { command: sh }
`,
  'thing.echo.rest.yaml': card(
    'rest',
    `    method: POST
    path: /echo
    body: "{value: input.value}"
    result: "{value: body.value}"`,
  ),
  'thing.echo.graphql.yaml': card(
    'graphql',
    `    document: "mutation Echo($value: Any) { echo(value: $value) }"
    variables: { value: input.value }
    result: "{value: body.echo}"`,
  ),
  'thing.echo.cli.yaml': card(
    'cli',
    `    command: [-c, "printf '{\\"value\\":%s}' \\"$1\\""]
    positionals: [input.value]
    parse: json
    result: "{value: body.value}"`,
  ),
})

/** Sends back the digits that arrived, as they stood. */
function echo({ url, body }: Received, { digits }: { digits: string[] }): string {
  const [, value = ''] = /"value":(-?[\d.eE+]+)/.exec(body.toString()) ?? []
  digits.push(value)
  return url === '/graphql' ? `{"data":{"echo":${value}}}` : `{"value":${value}}`
}

async function openPlace() {
  const digits: string[] = []
  const service = await startService((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(echo(request, { digits }))
  })
  const pack = await writePack(FILES(service.url))
  const gateway = await startTestGateway({
    settings: { capabilities: [pack], journal_payloads: 'redacted' },
  })
  const env = {
    PATH: process.env.PATH,
    SIGNALBOX_CAPABILITIES: pack,
    SIGNALBOX_JOURNAL: ':memory:',
  }
  return { gateway, digits, env, stdio: onceCalled(() => startStdio(env)) }
}

/** MCP over stdio: a process that takes messages, and gives the lines of its output. */
async function startStdio(env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [SIGNALBOX, 'mcp', '--tools', 'all'], { env })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async (message: string | Buffer): Promise<string> => {
    child.stdin.write(message)
    child.stdin.write('\n')
    return (await lines.next()).value ?? ''
  }
  const hello = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  }
  await ask(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: hello }))
  return ask
}

function onceCalled<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => (made ??= { value: make() }).value
}

/** The message of MCP that makes a call. */
const toolCall = (route: string, value: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"thing_echo_${route}","arguments":{"value":${value}}}}`

const namedCall = (route: string, value: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"call","arguments":{"capability":"thing.echo.${route}","input":{"value":${value}}}}}`

const batchCall = (route: string, value: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"batch","arguments":{"calls":[{"capability":"thing.echo.${route}","input":{"value":${value}}}]}}}`

type Door = (
  place: Awaited<ReturnType<typeof openPlace>>,
  route: string,
  text: string,
) => Promise<string>

const post = async ({ url }: TestGateway, path: string, body: string | Buffer, headers = {}) => {
  const given = { 'content-type': 'application/json', ...headers }
  const response = await fetch(`${url}${path}`, { method: 'POST', headers: given, body })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

/** Each returns the answer's text. */
const DOORS = {
  http: async ({ gateway }, route, value) =>
    (await post(gateway, `/v1/capabilities/thing.echo.${route}`, `{"value":${value}}`)).text,
  batch: async ({ gateway }, route, value) => {
    const call = `{"capability":"thing.echo.${route}","input":{"value":${value}}}`
    return (await post(gateway, '/v1/batch', `{"calls":[${call}]}`)).text
  },
  mcp: async ({ gateway }, route, value) => {
    const accept = { accept: 'application/json, text/event-stream' }
    const answer = await post(gateway, '/mcp?tools=all', toolCall(route, value), accept)
    return answer.text.replaceAll('\\"', '"')
  },
  'the tool call of mcp': async ({ gateway }, route, value) => {
    const accept = { accept: 'application/json, text/event-stream' }
    const answer = await post(gateway, '/mcp', namedCall(route, value), accept)
    return answer.text.replaceAll('\\"', '"')
  },
  'the tool batch of mcp': async ({ gateway }, route, value) => {
    const accept = { accept: 'application/json, text/event-stream' }
    const answer = await post(gateway, '/mcp', batchCall(route, value), accept)
    return answer.text.replaceAll('\\"', '"')
  },
  'mcp over stdio': async ({ stdio }, route, value) => {
    const ask = await stdio()
    return (await ask(toolCall(route, value))).replaceAll('\\"', '"')
  },
  'command line': async ({ env }, route, value) => {
    const args = [SIGNALBOX, 'call', `thing.echo.${route}`, `value=${value}`]
    return (await promisify(execFile)(process.execPath, args, { env })).stdout
  },
} satisfies Record<string, Door>

test.each(Object.keys(DOORS) as (keyof typeof DOORS)[])(
  'every digit arrives and comes back by %s, on every route',
  async door => {
    const place = await openPlace()
    await using gateway = place.gateway
    // Each call by the command line is a process of its own.
    const numbers = Object.entries(NUMBERS).slice(0, door === 'command line' ? 1 : undefined)
    for (const [name, value] of numbers) {
      for (const route of ['rest', 'graphql', 'cli']) {
        const text = await DOORS[door](place, route, value)
        expect(text, `${name} by ${route}`).toMatch(/"ok": ?true/)
        expect(text, `${name} by ${route}`).toMatch(
          new RegExp(`"value": ?${value.replace('.', '\\.')}\\b`),
        )
      }
    }
    expect(place.digits).toEqual(numbers.flatMap(([, value]) => [value, value]))
    expect(gateway.url).toMatch(/^http/)
  },
  60_000,
)

test.each([
  ['bytes that are not UTF-8', Buffer.from(toolCall('rest', '"café"'), 'latin1'), '1'],
  [
    'an id beyond a double',
    '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}',
    '9007199254740993',
  ],
  [
    'parameters that are a list',
    '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":[]}',
    '"a"',
  ],
  ['another version of JSON-RPC', '{"id":7,"method":"ping"}', '7'],
])('MCP over stdio refuses %s by the id of the message', async (_, message, id) => {
  const { gateway, stdio, digits } = await openPlace()
  await using _gateway = gateway
  const ask = await stdio()
  const answer = await ask(message)
  expect(answer).toContain(`"id":${id}`)
  expect(JSON.parse(answer)).toMatchObject({ error: { code: -32600 } })
  expect(await ask('{"jsonrpc":"2.0","id":9,"method":"ping"}')).toContain('"id":9')
  expect(digits).toEqual([])
})

test('MCP over stdio reads a message of many chunks, and two messages of one', async () => {
  const { gateway, stdio } = await openPlace()
  await using _gateway = gateway
  const ask = await stdio()
  const ping = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`
  expect(await ask(`${ping(3)}\r\n${ping(4)}`)).toContain('"id":3')
  expect(await ask('')).toContain('"id":4')
  expect(await ask(toolCall('rest', `"${'x'.repeat(3_000_000)}"`))).toContain('"id":1')
})

test('the journal keeps every digit of inputs and answers', async () => {
  const { gateway } = await openPlace()
  await using _ = gateway
  await post(gateway, '/v1/capabilities/thing.echo.rest', '{"value":9007199254740993}')
  const list = (await (await fetch(`${gateway.url}/v1/requests`)).json()) as {
    data: { items: { request_id: string }[] }
  }
  const id = list.data.items[0]?.request_id
  const text = await (await fetch(`${gateway.url}/v1/requests/${id}`)).text()
  expect(text).toContain('"input":{"value":9007199254740993}')
  expect(text).toContain('"data":{"value":9007199254740993}')
})

test('a stored answer keeps every digit when it is replayed', async () => {
  const place = await openPlace()
  await using gateway = place.gateway
  const once = { 'idempotency-key': 'k1' }
  const body = '{"value":9007199254740993}'
  await post(gateway, '/v1/capabilities/thing.echo.rest', body, once)
  const { text, headers } = await post(gateway, '/v1/capabilities/thing.echo.rest', body, once)
  expect(headers.get('idempotent-replayed')).toBe('true')
  expect(text).toContain('"data":{"value":9007199254740993}')
  const other = await post(
    gateway,
    '/v1/capabilities/thing.echo.rest',
    '{"value":9007199254740992}',
    once,
  )
  expect(other.status).toBe(422)
})

const text = (value: string, encoding: BufferEncoding) =>
  Buffer.from(`{"value":"${value}"}`, encoding)
const ANSWERS: readonly [string, string, Buffer, string | null][] = [
  ['UTF-8', 'application/json', text('café', 'utf8'), 'café'],
  [
    'UTF-8 that is declared as Latin-1',
    'application/json; charset=iso-8859-1',
    text('café', 'utf8'),
    'café',
  ],
  ['Latin-1 as declared', 'application/json; charset=ISO-8859-1', text('café', 'latin1'), 'café'],
  ['Latin-1 in quotes', 'application/json; charset="latin1"', text('café', 'latin1'), 'café'],
  ['UTF-16 as declared', 'application/json; charset=utf-16le', text('café', 'utf16le'), 'café'],
  ['Latin-1 that is not declared', 'application/json', text('café', 'latin1'), null],
  [
    'Latin-1 that is declared as UTF-8',
    'application/json; charset=utf-8',
    text('café', 'latin1'),
    null,
  ],
  ['an unknown charset', 'application/json; charset=klingon', text('café', 'latin1'), null],
  ['an image', 'image/png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), null],
]

test.each(ANSWERS)(
  'an answer in %s is read or refused, never changed',
  async (_name, type, body, value) => {
    const service = await startService((_request, response) => {
      response.setHeader('content-type', type)
      response.end(body)
    })
    const pack = await writePack(FILES(service.url))
    await using gateway = await startTestGateway({ settings: { capabilities: [pack] } })
    const answer = await post(gateway, '/v1/capabilities/thing.echo.rest', '{"value":1}')
    const envelope = JSON.parse(answer.text)
    if (value === null) {
      expect(envelope.error).toMatchObject({ code: 'OUTPUT_INVALID', write_outcome: 'applied' })
    } else expect(envelope.data).toEqual({ value })
  },
)

/** A card whose program prints these bytes. */
const printing = (directory: string, format: string) => ({
  'upstream.yaml': 'id: thing\ncli: { command: sh }\n',
  'thing.print.yaml': card(
    'cli',
    `    command: [-c, "cat ${directory}/output"]
    parse: ${format}
    result: "${format === 'text' ? '{value: body}' : '{value: body.value}'}"`,
  )
    .replace('thing.echo.cli', 'thing.print')
    .replace('required: [value], additional', 'additional'),
})

async function print(output: Buffer, format: string) {
  const directory = await writePack({})
  await writeFile(join(directory, 'output'), output)
  const pack = await writePack(printing(directory, format))
  await using gateway = await startTestGateway({ settings: { capabilities: [pack] } })
  return (await gateway.call('thing.print', {})).body
}

test.each(ANSWERS)(
  'an answer in %s that a program prints is read or refused, never changed',
  async (_name, type, body, value) => {
    const head = `HTTP/2.0 200 OK\r\nContent-Type: ${type}\r\n\r\n`
    const { data, error } = await print(Buffer.concat([Buffer.from(head), body]), 'http')
    if (value === null) {
      expect(error).toMatchObject({ code: 'OUTPUT_INVALID', write_outcome: 'applied' })
    } else expect(data).toEqual({ value })
  },
)

test.each(['json', 'ndjson', 'lines', 'text'])(
  'output of the format %s that is not UTF-8 is refused',
  async format => {
    const { error } = await print(text('café', 'latin1'), format)
    expect(error).toMatchObject({ code: 'OUTPUT_INVALID', write_outcome: 'applied' })
    expect(error.message).toContain('not UTF-8')
  },
)

test('a request body is read in its charset, and refused by the name of its encoding', async () => {
  const { gateway } = await openPlace()
  await using _ = gateway
  const path = '/v1/capabilities/thing.echo.rest'
  const plain = '{"value":1}'
  const latin = await post(gateway, path, Buffer.from('{"välue":1}', 'latin1'), {
    'content-type': 'application/json; charset=latin1',
  })
  expect(latin.text).toContain('välue')
  const broken = await post(gateway, path, Buffer.from('{"välue":1}', 'latin1'))
  expect(broken).toMatchObject({ status: 400, text: expect.stringContaining('UTF-8') })
  for (const value of ['1', '12345678901234567891']) {
    const marked = await post(gateway, path, `\ufeff{"value":${value}}`)
    expect(marked).toMatchObject({ status: 200, text: expect.stringContaining(`:${value}}`) })
  }
  for (const encoding of ['gzip', 'br', 'zstd', 'x-unknown']) {
    const body = encoding === 'gzip' ? gzipSync(plain) : plain
    const packed = await post(gateway, path, body, { 'content-encoding': encoding })
    expect(packed).toMatchObject({ status: 415, text: expect.stringContaining(encoding) })
    expect(JSON.parse(packed.text).error.next).toEqual({
      action: 'fix_input',
      fields: ['content-encoding'],
    })
  }
})

test('an integer beyond a double is an integer to schemas, and its bounds hold', () => {
  const properties = { id: { type: 'integer', maximum: 1e18 }, size: { default: 10 } }
  const schema = { type: 'object', properties, additionalProperties: false }
  const parse = compileInput('thing.view', schema)
  const exact = parseJson('{"id":9007199254740993}')
  expect(JSON.stringify(parse(exact))).toBe('{"id":9007199254740993,"size":10}')
  expect(compileOutput(schema)(exact)).toEqual([])
  expect(() => parse(parseJson('{"id":9007199254740993000}'))).toThrow(/id/)
})
