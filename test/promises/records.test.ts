import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROUTES, type Route } from '../../src/model/route.ts'
import { writePack } from '../support/packs.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { DOOR_NAMES, DOORS, type Door, type DoorCall } from './support/doors.ts'

const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`

/** The member `name` of an answer, for each way in which it fails. */
const NAMES = {
  'failing expression': '7',
  'deep JSON': DEEP,
  'output that breaks the schema': '"much too long"',
}

const HANGS = 'hangs'

const card = (directory: string, effect: string) => `
id: thing.${effect}
version: 1.0.0
description: Answer as the input says.
effect: ${effect}
input:
  type: object
  required: [kind]
  additionalProperties: false
  properties: { kind: { type: string, enum: [${[...Object.keys(NAMES), HANGS].join(', ')}] } }
output: { type: object, required: [name], properties: { name: { type: string, maxLength: 5 } } }
prefer: [rest, graphql, cli]
routes:
  rest:
    method: ${effect === 'read' ? 'GET' : 'POST'}
    path: /{kind}
    result: "{name: reverse(body.name)}"
  graphql:
    document: "${effect === 'read' ? 'query' : 'mutation'} Thing($kind: String!) { thing(kind: $kind) { name } }"
    variables: { kind: input.kind }
    result: "{name: reverse(body.thing.name)}"
  cli:
    command: [${directory}/program]
    positionals: [input.kind]
    parse: json
    result: "{name: reverse(body.name)}"
`

/** Says that it has begun, so that a caller can leave in the middle. Then waits, or prints its answer. */
const program = (directory: string) => `
touch ${directory}/begun
if [ "$2" = ${HANGS} ]; then sleep 60; fi
cat "${directory}/$2"
`

async function openPlace() {
  const directory = await writePack({})
  const service = await startService(async ({ url, body }, response) => {
    const isGraphql = url === '/graphql'
    const kind = isGraphql
      ? JSON.parse(body.toString()).variables.kind
      : decodeURIComponent(url.slice(1))
    await writeFile(join(directory, 'begun'), '')
    if (kind === HANGS) return
    const thing = `{"name":${NAMES[kind as keyof typeof NAMES]}}`
    response.setHeader('content-type', 'application/json')
    response.end(isGraphql ? `{"data":{"thing":${thing}}}` : thing)
  })
  for (const [kind, name] of Object.entries(NAMES)) {
    await writeFile(join(directory, kind), `{"name":${name}}`)
  }
  await writeFile(join(directory, 'program'), program(directory))
  const pack = await writePack({
    'upstream.yaml': `
id: thing
rest: { base_url: "${service.url}" }
graphql: { url: "${service.url}/graphql" }
cli: { command: sh }
`,
    'thing.read.yaml': card(directory, 'read'),
    'thing.write.yaml': card(directory, 'write'),
  })
  return { pack, begun: join(directory, 'begun') }
}

interface Cell extends DoorCall {
  readonly correlationId: string
  readonly code: string
}

function failures(route: Route): readonly Cell[] {
  return ['read', 'write'].flatMap(effect => [
    ...Object.keys(NAMES).map(kind => ({
      capability: `thing.${effect}`,
      input: { kind },
      route,
      correlationId: `${effect}: ${kind}`,
      code: 'OUTPUT_INVALID',
    })),
    {
      capability: `thing.${effect}`,
      input: { kind: 1 },
      route,
      correlationId: `${effect}: refused input`,
      code: 'VALIDATION',
    },
  ])
}

/** The calls of one door by one route. The command line starts a process for each, so it makes only the writes. */
function cellsOf(name: keyof typeof DOORS, route: Route): readonly Cell[] {
  const cells = failures(route)
  return name === 'command line'
    ? cells.filter(({ capability }) => capability === 'thing.write')
    : cells
}

async function leaveWhenBegun(door: Door, call: DoorCall, begun: string): Promise<void> {
  const caller = new AbortController()
  const left = door.call({ ...call, signal: caller.signal })
  await until(
    () => existsSync(begun),
    exists => exists,
  )
  caller.abort()
  expect(await left).toBeNull()
}

/** A process that its caller ends leaves no record of a read. */
const codesOfLeaving = { 'command line': [] as string[] }

test.each(DOOR_NAMES.flatMap(name => ROUTES.map(route => [name, route] as const)))(
  'by %s on the route %s, each failed request has one record',
  async (name, route) => {
    const { pack, begun } = await openPlace()
    const door = await DOORS[name](pack)
    // Leaving comes first: then nothing else has begun.
    const leaving = { capability: 'thing.read', input: { kind: HANGS }, route }
    await leaveWhenBegun(door, { ...leaving, correlationId: 'left' }, begun)
    const cells = cellsOf(name, route)
    for (const { code, ...call } of cells) {
      const envelope = await door.call(call)
      expect([call.correlationId, envelope?.error?.code]).toEqual([call.correlationId, code])
    }

    const left = name in codesOfLeaving ? [] : ['left: CANCELLED']
    const expected = [...left, ...cells.map(cell => `${cell.correlationId}: ${cell.code}`)]
    const rows = await until(
      () => door.rows(),
      found => found.length >= expected.length,
    )
    const recorded = rows.map(row => `${row.correlation_id}: ${row.code}`)
    expect(recorded.toSorted()).toEqual(expected.toSorted())
  },
  60_000,
)

test.each(DOOR_NAMES)(
  'by %s, a call of an unknown capability has one record',
  async name => {
    const door = await DOORS[name]((await openPlace()).pack)
    const envelope = await door.call({ capability: 'no.such', input: {} })
    expect(envelope?.error?.code).toBe('NOT_FOUND')
    expect(await door.rows()).toHaveLength(1)
  },
  60_000,
)
