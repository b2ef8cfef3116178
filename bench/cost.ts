/**
 * Sends 80 kB of hostile texts to every endpoint of `/openapi.json`, and compares the time with that of 80 kB of `x`: in
 * bodies, and in each parameter of path, query and headers, where Node takes 16 kB in all. The parameters of all
 * capabilities are the same, so those of one stand for all. Fails if a text takes more than 20 times as long.
 * An argument limits the run to the paths that begin with it.
 */
import { startTestGateway } from '../test/support/gateway.ts'
import { hostileJson, hostileTexts, repeated } from './support/hostile-texts.ts'

const SIZE = 80_000
/** The limit of one encoded parameter. */
const PARAMETER_SIZE = 12_000
const MOST = 20
/** Shorter times are noise of the machine. */
const NOTICEABLE_MS = 20

interface Operation {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

interface Parameter {
  readonly in: string
  readonly name: string
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
}

interface Request {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** One place of an endpoint for a text, and what to put there. */
interface Place {
  readonly name: string
  readonly fill: (text: string) => Request
  readonly plain: string
  readonly hostile: Readonly<Record<string, string>>
}

/** Read on every request, whatever the operation declares. */
const HEADERS = [
  'authorization',
  'x-request-id',
  'x-upstream-authorization',
  'idempotency-key',
  'traceparent',
  'accept-language',
  'accept',
  'content-type',
  'origin',
  'if-none-match',
  'last-event-id',
  'user-agent',
]

const JSON_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

const WRAPPED: Readonly<Record<string, (input: string) => string>> = {
  '/v1/batch': input => `{"calls":[{"capability":"issue.create","input":${input}}]}`,
  '/mcp': input =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"call","arguments":{"capability":"issue.create","input":${input}}}}`,
}

await using gateway = await startTestGateway()
const document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> }
}

/** Operations of capabilities share their parameters. */
function parametersOf({ parameters = [] }: Operation): readonly Parameter[] {
  return parameters.flatMap(one => {
    if (!('$ref' in one)) return [one]
    const name = one.$ref.replace('#/components/parameters/', '')
    return document.components.parameters[name] ?? []
  })
}

const OF_CAPABILITY = /^\/v1\/capabilities\/(?!\{|issue\.create$)[^/]+$/

let tried = 0
const [prefix = ''] = process.argv.slice(2)
const paths = Object.entries(document.paths).filter(([path]) => path.startsWith(prefix))
for (const [path, operations] of paths) {
  for (const [method, operation] of Object.entries(operations)) {
    for (const place of placesOf(method.toUpperCase(), path, operation)) await compare(place)
  }
}
console.log(`${tried} texts in ${paths.length} paths`)

async function compare({ name, fill, plain, hostile }: Place): Promise<void> {
  const usual = await timeOf(fill(plain), 5)
  for (const [kind, text] of Object.entries(hostile)) {
    tried++
    if (!isSlow(await timeOf(fill(text), 1), usual)) continue
    // A collection of garbage may have fallen into one of them.
    const again = await timeOf(fill(plain), 20)
    const ms = await timeOf(fill(text), 5)
    if (!isSlow(ms, again)) continue
    process.exitCode = 1
    const times = (ms / again).toFixed(1)
    console.log(`${name} ${kind}: ${ms.toFixed(1)} ms, ${times} × (${again.toFixed(1)} ms)`)
  }
}

function isSlow(ms: number, usual: number): boolean {
  return ms > MOST * usual && ms > NOTICEABLE_MS
}

/**
 * The mean of the processor's time, in milliseconds: other work on the machine does not count. Its clock is coarse on some
 * systems, so a single round may take no time.
 */
async function timeOf(request: Request, rounds: number): Promise<number> {
  const start = process.threadCpuUsage()
  for (let round = 0; round < rounds; round++) await send(request)
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000 / rounds
}

async function send({ method, path, query, headers, body }: Request): Promise<void> {
  const response = await fetch(`${gateway.url}${path}${query}`, { method, headers, body })
  // A stream of events has no end.
  if (response.headers.get('content-type')?.startsWith('text/event-stream') && method === 'GET') {
    await response.body?.cancel()
  } else await response.arrayBuffer()
}

function placesOf(method: string, path: string, operation: Operation): readonly Place[] {
  const { requestBody } = operation
  const bodies = requestBody || path === '/mcp' ? [bodyPlace(method, path, operation)] : []
  if (OF_CAPABILITY.test(path)) return bodies
  const base: Request = {
    method,
    path: path.replaceAll(/\{\w+\}/g, 'issue.create'),
    query: '',
    headers: JSON_HEADERS,
    body: method === 'POST' ? '{}' : null,
  }
  const hostile = hostileTexts(PARAMETER_SIZE)
  const plain = repeated('x', PARAMETER_SIZE)
  const place = (name: string, fill: Place['fill']) => ({
    name: `${method} ${path} ${name}`,
    fill,
    plain,
    hostile,
  })
  const own = parametersOf(operation).flatMap(({ in: where, name }) => {
    if (where === 'query') {
      return [place(name, text => ({ ...base, query: `?${name}=${encoded(text)}` }))]
    }
    if (where !== 'path') return []
    return [place(name, text => ({ ...base, path: path.replace(`{${name}}`, encoded(text)) }))]
  })
  const headers = HEADERS.map(name =>
    place(name, text => ({ ...base, headers: { ...JSON_HEADERS, [name]: printable(text) } })),
  )
  return [
    ...bodies,
    ...own,
    ...headers,
    place('any query', text => ({ ...base, query: `?${encoded(text)}` })),
  ]
}

/** Fits into a request line, and cuts no escape in two. */
function encoded(text: string): string {
  const whole = encodeURIComponent(text.toWellFormed())
  return whole.slice(0, PARAMETER_SIZE).replace(/%.?$/, '')
}

/** No header carries other characters. */
function printable(text: string): string {
  return text.replaceAll(/[^ -~]/g, 'x')
}

/** All members of the input share the text. */
function bodyPlace(method: string, path: string, { requestBody }: Operation): Place {
  const schema = requestBody?.content['application/json']?.schema ?? {}
  const wrap = WRAPPED[path] ?? ((input: string) => input)
  const names = Object.keys(schema.properties ?? { owner: {}, name: {}, title: {}, body: {} })
  const share = Math.floor(SIZE / names.length)
  const input = (text: string) =>
    JSON.stringify(Object.fromEntries(names.map(name => [name, text.slice(0, share)])))
  const texts = Object.entries(hostileTexts(SIZE)).map(([unit, text]) => [unit, input(text)])
  return {
    name: `${method} ${path} body`,
    fill: text => ({
      method,
      path: path.replaceAll(/\{\w+\}/g, 'issue.create'),
      query: '',
      headers: JSON_HEADERS,
      body: method === 'GET' ? null : wrap(text),
    }),
    plain: input(repeated('x', SIZE)),
    hostile: { ...Object.fromEntries(texts), ...hostileJson(SIZE) },
  }
}
