import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SeenAnswer } from '../../sandbox/index.ts'
import { compileTarget } from '../../src/lib/request-target.ts'
import { parseShipped } from '../../src/lib/yaml-source.ts'
import type { Card, JsonSchema } from '../../src/model/card.ts'
import type { Route } from '../../src/model/route.ts'
import { connectTo } from '../adapters/cli/connected.ts'
import { signalbox } from '../commands/support/signalbox.ts'
import { existingCase, type HostileUse, hostileUses } from '../parity/hostile/cases.ts'
import { fewHostileNames, hostileNames, IMPOSSIBLE } from '../parity/hostile/names.ts'
import { openPlace } from '../parity/place.ts'
import { runCase } from '../parity/run-case.ts'
import { writePack } from '../support/packs.ts'
import { gh } from '../support/parts.ts'

/** Every path and query is built here. */
const OWNER = 'src/lib/request-target.ts'

const sent: SeenAnswer[] = []
const place = await openPlace(answer => sent.push(answer))
const ajv = addFormats.default(new Ajv({ strict: false }))
ajv.addFormat('graphql-query', true)
afterAll(() => place[Symbol.asyncDispose]())

const cardOf = ({ capability }: HostileUse) => place.engine.catalog.get(capability) as Card
const routesOf = (use: HostileUse): Route[] =>
  cardOf(use).routes.flatMap(({ route }) => (place.routes.includes(route) ? [route] : []))
const table = hostileUses.map(
  use =>
    [`${use.capability} (${cardOf(use).effect}) by ${use.member ?? 'a known name'}`, use] as const,
)

/** A run of `gh` takes as long as ten calls, so it gets fewer names; `npm run parity` gives it all. */
function isForProgram(use: HostileUse, name: string): boolean {
  const few = fewHostileNames(use.kind).slice(0, use.all ? undefined : 1)
  return few.some(one => one.name === name)
}

describe.each(table)('%s', (_title, use) => {
  const findings: Partial<Record<Route, string[]>> = {}
  beforeAll(async () => {
    for (const one of use.all ? hostileNames(use.kind) : fewHostileNames(use.kind)) {
      const routes = place.routes.filter(route => route !== 'cli' || isForProgram(use, one.name))
      const found = await runCase({ ...place, routes }, cardOf(use), existingCase(use, one))
      for (const [route, faults] of Object.entries(found)) {
        const named = faults.map(fault => `${JSON.stringify(one.name)}: ${fault}`)
        findings[route as Route] = [...(findings[route as Route] ?? []), ...named]
      }
    }
  }, 300_000)

  test.each(routesOf(use))('a name means itself on the route %s', route => {
    expect(findings[route]).toEqual([])
  })

  if (use.member === null) return
  test.each(routesOf(use))('what names nothing is refused on the route %s', async route => {
    const store = place.begin()
    sent.length = 0
    for (const name of IMPOSSIBLE[use.kind]) {
      const { envelope } = await place.call(use.capability, use.input(name, store), route)
      const fields = envelope.error?.details.fields as { path: string }[] | undefined
      expect([name, envelope.error?.code, fields?.[0]?.path.split('.')[0]]).toEqual([
        name,
        'VALIDATION',
        use.member,
      ])
    }
    expect(sent).toEqual([])
  })
})

test('every member with free text that a card puts into a path or query is in the table', () => {
  const tried = new Set(hostileUses.map(({ capability, member }) => `${capability} ${member}`))
  const free = place.engine.catalog.all().flatMap(({ id, input }) => {
    const file = join('capabilities/github', `${id}.yaml`)
    const source = parseShipped(file, readFileSync(file, 'utf8'))
    const members = Object.entries(input.properties as Record<string, JsonSchema>)
    return members
      .filter(([member, schema]) => isInTarget(source, member) && takesHostileNames(schema))
      .map(([member]) => `${id} ${member}`)
  })
  const untried = free.filter(member => !tried.has(member) && !OPAQUE.test(member))
  expect(untried).toEqual([])
  expect(free.length).toBeGreaterThan(15)
})

test.skipIf(!gh.available)('gh api sends an endpoint byte for byte as it is built', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sb-gh-'))
  const targets: (string | undefined)[] = []
  const server = createServer((request, response) => {
    targets.push(request.url)
    response.setHeader('content-type', 'application/json')
    response.end('{}')
  })
  server.listen(join(directory, 'gh.sock'))
  await once(server, 'listening')
  await writeFile(join(directory, 'config.yml'), `http_unix_socket: ${directory}/gh.sock\n`)
  await using program = connectTo('gh', { env: { GH_TOKEN: 'x', GH_CONFIG_DIR: directory } })
  const ascii = String.fromCharCode(...Array.from({ length: 127 }, (_, index) => index + 1))
  const short = hostileNames('file').flatMap(({ name }) => (name.length < 100 ? [name] : []))
  const names = [...short, ascii.replaceAll('/', '')]
  const template = 'x/{+path}/{one}{?q*,w}'
  const values = { path: names.join('/'), one: names.join('/'), q: names, w: ascii }
  const reply = await program.call(
    {
      command: ['api'],
      options: { method: "'GET'" },
      positionals: [
        `uri('${template}', {path: input.path, one: input.one, q: input.q, w: input.w})`,
      ],
    },
    { input: values },
  )
  expect(reply.ok).toBe(true)
  expect(targets).toEqual([`/${compileTarget(template)(values)}`])
  const [target = ''] = targets
  expect(decodeURIComponent(target.slice(3).split('/').slice(0, -1).join('/'))).toBe(values.path)
  expect(new URL(target, 'http://x').searchParams.getAll('q')).toEqual(names)
  server.close()
  await rm(directory, { recursive: true })
})

const POSITIONAL = 'positionals: ["uri(\'branches/{branch}\', {branch: input.branch})"]'

test.each([
  [`positionals: ["join('/', ['branches', input.branch])"]`, 'builds an endpoint without uri()'],
  [`positionals: ["join('', ['branches#', input.branch])"]`, 'builds an endpoint without uri()'],
  ['positionals: [input.branch]', 'builds an endpoint without uri()'],
  [`positionals: ["uri(input.branch, input)"]`, 'a template that is not a literal'],
  [`positionals: ["uri('branches/{brnch}', {branch: input.branch})"]`, '{brnch}'],
  [`${POSITIONAL}\n    options: { field: "join('=', ['a', input.branch])" }`, 'read a file'],
  [`${POSITIONAL}\n    options: { input: input.branch }`, 'read a file'],
])(
  'signalbox check refuses gh api with %s',
  async (section, problem) => {
    const directory = await writePack({
      'upstream.yaml': 'id: own\ncli: { command: gh }\n',
      'own.view.yaml': `
id: own.view
version: 1.0.0
description: Show a branch.
effect: read
input: { type: object, required: [branch], properties: { branch: { type: string } } }
output: { type: object }
prefer: [cli]
routes:
  cli:
    command: [api]
    ${section}
    result: body
`,
    })
    const { code, stdout, stderr } = await signalbox(['check', directory])
    expect(stdout + stderr).toContain(problem)
    expect(stdout + stderr).toContain('1 problem')
    expect(code).not.toBe(0)
  },
  60_000,
)

test('only the owner expands templates', () => {
  const files = ['src', 'adapters', 'routes'].flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
  )
  const users = files.filter(
    file => file.endsWith('.ts') && readFileSync(file, 'utf8').includes("from 'url-template'"),
  )
  expect(users).toEqual([OWNER])
})

/** Cursors are the service's own, and a search is a query of words. */
const OPAQUE = / (?:after|query)$/

/** The texts in a card that build paths and queries, with the list that gives `{item}`. */
function targetsIn(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return []
  const { path = '', query = {}, positionals = [], each = '' } = value as Record<string, unknown>
  const own =
    'method' in value || 'command' in value ? [path, ...Object.values(query as object)] : []
  const texts = [...own, ...(positionals as unknown[])].map(String)
  const items = texts.some(text => /\{item\}/.test(text)) ? [String(each)] : []
  return [...texts, ...items, ...Object.values(value).flatMap(targetsIn)]
}

function isInTarget(card: unknown, member: string): boolean {
  const used = new RegExp(`\\{\\+?${member}\\}|\\binput\\.${member}\\b`)
  return targetsIn(card).some(text => used.test(text))
}

function takesHostileNames(schema: JsonSchema): boolean {
  const check = ajv.compile(schema)
  return ['feature#1', 'a%2Fb', 'ci#1.yml'].some(name => check(name) || check([name]))
}
