import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Envelope } from '../../src/model/envelope.ts'
import { LAST_WORDS } from '../support/last-words.ts'
import { openToolGateway } from './tool-gateway.ts'

export interface ToolOptions {
  readonly seed: number
  readonly runs: number
  /** Calls at the same time. */
  readonly width: number
}

export interface ToolResult {
  readonly runs: number
  /** Runs whose change was made more than once. */
  readonly doubled: number
  readonly violations: readonly string[]
}

const EXITS = [1, 2, 3, 4, 6, 7, 22, 28, 52, 75, 101, 126, 127, 128, 130, 137, 255]
const MOST_VIOLATIONS = 5

/**
 * Calls a capability whose tool makes several requests and dies after some of them, each time with a message of the
 * failure corpora as its last words. No message may make the gateway repeat the change, on any route.
 */
export async function runToolChaos({ seed, runs, width }: ToolOptions): Promise<ToolResult> {
  await using records = await openRecords()
  await using place = await openPack(records.url)
  await using gateway = await openToolGateway(place.directory)
  const violations: string[] = []
  let doubled = 0
  const one = async (run: number) => {
    const index = seed + run
    const input = {
      marker: `m${run}`,
      posts: index % 3,
      words: index % LAST_WORDS.length,
      exit: EXITS[(index * 7) % EXITS.length],
    }
    const envelope = await gateway.call('record.add', input)
    const made = records.of(input.marker)
    if (made.most > 1 || made.runs > 1 || (made.byRest && made.runs > 0)) doubled++
    for (const fault of faultsOf(envelope, made))
      violations.push(`${fault}: ${JSON.stringify({ ...input, said: LAST_WORDS[input.words] })}`)
  }
  const queue = Array.from({ length: runs }, (_, run) => run)
  const worker = async () => {
    for (let run = queue.shift(); run !== undefined; run = queue.shift()) await one(run)
  }
  await Promise.all(Array.from({ length: width }, worker))
  return { runs, doubled, violations: violations.slice(0, MOST_VIOLATIONS) }
}

/** A change whose tool died is recovered by reading it back, or is unknown, with the read that tells. */
function* faultsOf({ ok, error, meta }: Envelope, { most, runs, byRest }: Made): Generator<string> {
  if (most > 1) yield 'the change was made twice'
  if (runs > 1) yield `the tool ran ${runs} times`
  // On a busy machine, the time of the attempt may be up before the tool starts. Then another route may serve the call.
  if (runs === 0) return
  if (byRest) yield 'another route was tried'
  if (!ok) yield* falseAdvice(error)
  else if (meta.reason !== 'RECOVERED' || most === 0) yield 'a change was claimed that nobody saw'
}

function* falseAdvice(error: Envelope['error']): Generator<string> {
  if (error?.write_outcome !== 'unknown') yield `the outcome was claimed: ${error?.write_outcome}`
  if (error?.retryable !== false) yield 'a repeat was allowed'
  if (error?.next.action !== 'verify') yield `the advice was ${error?.next.action}`
}

/** The step that only the route through REST records. */
const BY_REST = -1

interface Made {
  /** How often the most frequent step was recorded. */
  readonly most: number
  /** How often the tool was started. */
  readonly runs: number
  readonly byRest: boolean
}

/** A service that keeps records, and counts equal ones. */
async function openRecords() {
  const records: { readonly marker: string; readonly step: number; readonly at: string }[] = []
  const starts: string[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'POST') {
      const record = (await json(request)) as { readonly marker: string; readonly step: number }
      records.push({ ...record, at: new Date().toISOString() })
    }
    const marker = new URL(request.url ?? '/', 'http://records.test').searchParams.get('marker')
    if (request.url?.startsWith('/started')) starts.push(marker ?? '')
    const items = records.filter(record => record.marker === marker)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ items }))
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    of(marker: string): Made {
      const own = records.filter(record => record.marker === marker)
      const steps = Object.values(Object.groupBy(own, ({ step }) => String(step)))
      return {
        most: Math.max(0, ...steps.map((same = []) => same.length)),
        runs: starts.filter(started => started === marker).length,
        byRest: own.some(({ step }) => step === BY_REST),
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const TOOL = fileURLToPath(new URL('../fixtures/cli/several', import.meta.url))

async function openPack(url: string) {
  const directory = await mkdtemp(join(tmpdir(), 'tool-chaos-'))
  const words = join(directory, 'words.json')
  const pack = join(directory, 'records')
  await mkdir(pack)
  await writeFile(words, JSON.stringify(LAST_WORDS))
  const upstream = {
    id: 'records',
    rest: { base_url: url },
    cli: { command: TOOL, env: { RECORDS_URL: url, WORDS: words } },
  }
  // JSON is YAML.
  await writeFile(join(pack, 'upstream.yaml'), JSON.stringify(upstream))
  await writeFile(join(pack, 'record.add.yaml'), ADD)
  await writeFile(join(pack, 'record.list.yaml'), LIST)
  return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true }) }
}

const ADD = `
id: record.add
version: 1.0.0
description: Add a record, in several steps.
effect: write
input:
  type: object
  required: [marker, posts, words, exit]
  additionalProperties: false
  properties:
    marker: { type: string, maxLength: 20 }
    posts: { type: integer }
    words: { type: integer }
    exit: { type: integer }
output: { type: object, required: [marker], properties: { marker: { type: string } } }
prefer: [cli, rest]
routes:
  cli:
    command: [add]
    options: { marker: input.marker, posts: input.posts, words: input.words, exit: input.exit }
    parse: text
    result: "{marker: input.marker}"
  rest: { method: POST, path: /records, body: { marker: input.marker, step: "\`-1\`" }, result: "{marker: input.marker}" }
verify:
  capability: record.list
  input: "{marker: input.marker}"
  found: "let $m = input.marker in data.items[?marker == $m && step == \`0\`]"
  created: at
  settles_ms: 60000
`

const LIST = `
id: record.list
version: 1.0.0
description: List the records of a marker.
effect: read
input: { type: object, required: [marker], additionalProperties: false, properties: { marker: { type: string, maxLength: 20 } } }
output: { type: object, required: [items], properties: { items: { type: array, items: { type: object } } } }
prefer: [rest]
routes:
  rest: { method: GET, path: /records, query: { marker: input.marker }, result: "{items: body.items}" }
`
