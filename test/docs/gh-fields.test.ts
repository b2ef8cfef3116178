import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GhField, ghCommands, placesOf } from '../../docs/gh-fields.ts'
import { schemaAt } from '../../src/cards/schema-path.ts'
import type { Route } from '../../src/model/route.ts'
import { openPlace, type Place } from '../parity/place.ts'
import { type Gh, startGh } from '../sandbox/gh.ts'
import { gh } from '../support/parts.ts'

/** `docs/gh-fields.yaml` is true of the cards, and of the real gh. */
let place: Place
let program: Gh
beforeAll(async () => {
  place = await openPlace()
  program = await startGh()
})
afterAll(async () => {
  await place[Symbol.asyncDispose]()
  await program[Symbol.asyncDispose]()
})

const commands = ghCommands()
const covered = commands.flatMap(it => ('fields' in it ? [[it.command, it] as const] : []))

test.each(covered)(
  'gh %s: every field is a member of an output',
  (_name, { capability, fields }) => {
    const unknown = Object.values(fields)
      .flatMap(field => placesOf(field, capability))
      .filter(({ capability: id, path }) => {
        const card = place.engine.catalog.get(id)
        return !card || schemaAt(card.output, path) === 'unknown'
      })
    expect(unknown).toEqual([])
  },
)

describe.skipIf(!gh.available)('the real gh', () => {
  test('has no other list or view', () => {
    const help = execFileSync('gh', ['help', 'reference'], { encoding: 'utf8' })
    const found = help.matchAll(/^### `gh ([a-z-]+ (?:list|view))\b/gm)
    expect(commands.map(({ command }) => command)).toEqual([...found].map(([, name]) => name))
  })

  test.each(covered)('gh %s prints these fields', async (_name, command) => {
    const { capability, form, fields, input = {} } = command
    const { stdout } = await program.run(...(command.run ?? command.command).split(' '))
    place.begin()
    const { envelope } = await place.call(capability, { ...input }, preferredRoute(capability))
    expect(envelope.error).toBeNull()
    const texts = { columns, keys, text: () => null }[form](stdout)
    if (texts) expect([...texts.keys()]).toHaveLength(Object.keys(fields).length)
    for (const [index, [name, field]] of Object.entries(fields).entries()) {
      const key = form === 'keys' ? name : index
      const shown = texts ? texts.get(key) : stdout
      expect([name, shown]).toEqual([name, expect.any(String)])
      if (typeof field !== 'string') continue
      const value = asShown(envelope.data, field)
      if (texts) expect([name, normal(shown ?? '')]).toEqual([name, normal(value)])
      else expect(stdout).toContain(value)
    }
  })
})

function preferredRoute(capability: string): Route {
  return place.engine.catalog.get(capability)?.routes[0]?.route ?? 'rest'
}

/** The first line of a table, by column. */
function columns(stdout: string): Map<string | number, string> {
  return new Map((stdout.split('\n')[0] ?? '').split('\t').entries())
}

/** `key:` and a value, then the body behind a line of dashes. */
function keys(stdout: string): Map<string | number, string> {
  const [head = '', ...body] = stdout.split(/^--\n/m)
  const pairs = head.split('\n').flatMap((line): [string, string][] => {
    const [, key, value = ''] = /^([a-z ]+):\t(.*)$/.exec(line) ?? []
    return key === undefined ? [] : [[key, value]]
  })
  return new Map([...pairs, ['body', body.join('--\n').trim()]])
}

/** The value of a member, of the first item if the path leads through a list. */
function asShown(data: unknown, field: GhField & string): string {
  let value: unknown = data
  for (const name of field.split('.')) {
    const holder = Array.isArray(value) ? value[0] : value
    value = (holder as Record<string, unknown> | null)?.[name]
  }
  if (value === null || value === undefined) return ''
  return Array.isArray(value) ? value.join(', ') : JSON.stringify(value).replace(/^"|"$/g, '')
}

/** gh writes states in either case, times in two forms, and lists in an order of its own. */
function normal(text: string): string {
  if (!/^\d{4}-\d\d-\d\d[T ]/.test(text)) return text.toLowerCase().split(', ').sort().join(', ')
  return new Date(text.replace(' UTC', '')).toISOString()
}
