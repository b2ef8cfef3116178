import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { describeCard } from '../../src/cards/describe.ts'
import { loadPacks } from '../support/packs.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

const UPSTREAM = "id: shop\nrest: { base_url: 'http://127.0.0.1:1' }\n"

const card = (members: string, id = 'part.view') => `id: ${id}
version: 1.0.0
description: Show one part.
effect: read
input:
  type: object
  properties:
    sku: ${members}
output: { type: object }
prefer: [rest]
routes: { rest: { method: GET, path: /parts, result: body } }
`

/** Loads folders, given as file → text, in the order of their names. */
async function load(...folders: readonly Readonly<Record<string, string>>[]) {
  const root = await mkdtemp(join(tmpdir(), 'cards-'))
  cleanups.push(() => rm(root, { recursive: true }))
  const directories = folders.map((_, index) => join(root, String(index)))
  for (const [index, files] of folders.entries()) {
    await mkdir(join(root, String(index)))
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(root, String(index), name), text)
    }
  }
  const loaded = await loadPacks(directories)
  const problems = loaded.problems.map(({ file, line, message, fix }) => ({
    place: `${file.slice(root.length + 1)}:${line}`,
    message,
    fix,
  }))
  return { cards: loaded.cards, problems }
}

/** The published schema of `sku`, with problems if there are any. */
async function loadSku(defs: string, members: string) {
  const { cards, problems } = await load({
    'upstream.yaml': `${UPSTREAM}$defs:\n${defs}`,
    'part.view.yaml': card(members),
  })
  const view = cards.get('part.view')
  return {
    sku: view && (describeCard(view, () => true).input.properties as { sku: unknown }).sku,
    problems,
  }
}

const SKU = '  sku: { type: string, maxLength: 9, description: "Number of the part." }\n'

test('a card is published with the shared schema in place of the reference', async () => {
  const { sku, problems } = await loadSku(SKU, '{ $ref: "#/$defs/sku" }')
  expect(problems).toEqual([])
  expect(JSON.stringify(sku)).toBe(
    '{"type":"string","maxLength":9,"description":"Number of the part."}',
  )
})

test('the shared schema is checked', async () => {
  const { cards } = await load({
    'upstream.yaml': `${UPSTREAM}$defs:\n${SKU}`,
    'part.view.yaml': card('{ $ref: "#/$defs/sku" }'),
  })
  const parse = (sku: string) => cards.get('part.view')?.parseInput({ sku })
  expect(parse('123456789')).toEqual({ sku: '123456789' })
  expect(() => parse('1234567890')).toThrow(/"sku" must have at most 9 characters/)
})

test.each([
  [
    'a description replaces that of the definition, in its place',
    '{ $ref: "#/$defs/sku", description: "Of the spare part.", default: "1" }',
    '{"type":"string","maxLength":9,"description":"Of the spare part.","default":"1"}',
  ],
  [
    'another restriction is added',
    '{ $ref: "#/$defs/sku", minLength: 2 }',
    '{"type":"string","maxLength":9,"description":"Number of the part.","minLength":2}',
  ],
  [
    'a keyword that says the same again changes nothing',
    '{ $ref: "#/$defs/sku", type: string }',
    '{"type":"string","maxLength":9,"description":"Number of the part."}',
  ],
  [
    'references are found at any depth',
    '{ anyOf: [{ type: array, items: { $ref: "#/$defs/sku" } }, { $ref: "#/$defs/sku" }] }',
    '{"anyOf":[{"type":"array","items":{"type":"string","maxLength":9,"description":"Number of the part."}},{"type":"string","maxLength":9,"description":"Number of the part."}]}',
  ],
  [
    'data that looks like a reference stays',
    '{ type: object, additionalProperties: { $ref: "#/$defs/sku" }, const: { $ref: "#/$defs/none" } }',
    '{"type":"object","additionalProperties":{"type":"string","maxLength":9,"description":"Number of the part."},"const":{"$ref":"#/$defs/none"}}',
  ],
])('beside a reference: %s', async (_name, members, published) => {
  const { sku, problems } = await loadSku(SKU, members)
  expect(problems).toEqual([])
  expect(JSON.stringify(sku)).toBe(published)
})

test('definitions may refer to each other, in any order', async () => {
  const list = '  list: { type: array, items: { $ref: "#/$defs/sku" } }\n'
  const { sku, problems } = await loadSku(list + SKU, '{ $ref: "#/$defs/list" }')
  expect(problems).toEqual([])
  expect(sku).toMatchObject({ type: 'array', items: { type: 'string', maxLength: 9 } })
})

test("a schema's own $defs go before those of the upstream", async () => {
  const { cards, problems } = await load({
    'upstream.yaml': `${UPSTREAM}$defs:\n${SKU}`,
    'part.list.yaml': card('{ $ref: "#/$defs/sku" }', 'part.list'),
    'part.view.yaml': card('{ $ref: "#/$defs/sku" }').replace(
      'input:\n',
      'input:\n  $defs: { sku: { type: integer } }\n',
    ),
  })
  expect(problems).toEqual([])
  expect(cards.get('part.view')?.parseInput({ sku: 7 })).toEqual({ sku: 7 })
})

test('a folder that joins an upstream sees its definitions', async () => {
  const { cards, problems } = await load(
    { 'upstream.yaml': `${UPSTREAM}$defs:\n${SKU}` },
    { 'upstream.yaml': 'use: shop\n', 'part.view.yaml': card('{ $ref: "#/$defs/sku" }') },
  )
  expect(problems).toEqual([])
  expect(cards.get('part.view')?.input.properties).toMatchObject({ sku: { maxLength: 9 } })
})

test.each([
  [
    'a name that does not exist',
    '{ $ref: "#/$defs/skuu" }',
    {
      place: '0/part.view.yaml:8',
      message: 'input.properties.sku.$ref names "#/$defs/skuu", which does not exist',
      fix: 'Use one of: #/$defs/sku; or add it to $defs in upstream.yaml.',
    },
  ],
  [
    'a restriction that differs from the definition',
    '{ $ref: "#/$defs/sku", maxLength: 20 }',
    {
      place: '0/part.view.yaml:8',
      message: 'input.properties.sku.maxLength differs from the definition that $ref names',
      fix: 'Remove it, or write the schema out.',
    },
  ],
  [
    'a schema of parts',
    '{ $ref: "#/$defs/sku", items: {} }',
    {
      place: '0/part.view.yaml:8',
      message: 'input.properties.sku.items cannot stand beside $ref',
      fix: 'Remove it, or write the schema out.',
    },
  ],
])('a fault of a card has file, line and fix: %s', async (_name, members, problem) => {
  const { problems } = await loadSku(SKU, members)
  expect(problems).toContainEqual(problem)
})

test.each([
  [
    'nothing uses it',
    '  sku: { type: string }\n  size: { type: integer }\n',
    {
      place: '0/upstream.yaml:5',
      message: '$defs.size is never used',
      fix: 'Refer to it from a card, or remove it.',
    },
  ],
  [
    'it contains itself',
    '  sku: { type: array, items: { $ref: "#/$defs/part" } }\n  part:\n    anyOf:\n      - $ref: "#/$defs/sku"\n',
    {
      place: '0/upstream.yaml:7',
      message: '$defs.part.anyOf.0.$ref closes a circle: sku → part → sku',
      fix: 'Write one of them out: a definition cannot contain itself.',
    },
  ],
  [
    'it refers to nothing',
    '  sku: { $ref: "#/$defs/none" }\n',
    {
      place: '0/upstream.yaml:4',
      message: '$defs.sku.$ref names "#/$defs/none", which does not exist',
      fix: 'Use one of: #/$defs/sku; or add it to $defs in upstream.yaml.',
    },
  ],
  [
    'it refers to something else',
    '  sku: { $ref: "#/properties/sku" }\n',
    {
      place: '0/upstream.yaml:4',
      message: '$defs.sku.$ref names "#/properties/sku", which does not exist',
      fix: 'Use one of: #/$defs/sku; or add it to $defs in upstream.yaml.',
    },
  ],
  [
    'a keyword means nothing',
    '  sku: { type: string, maxLenght: 9 }\n',
    {
      place: '0/upstream.yaml:4',
      message: '$defs.sku.maxLenght is no keyword of JSON Schema that Signalbox knows',
      fix: 'Write maxLength, or remove it: a keyword without effect is refused.',
    },
  ],
  [
    'it is no schema',
    '  sku: text\n',
    {
      place: '0/upstream.yaml:4',
      message: '$defs.sku must be object',
      fix: 'Write an object: names with a value for each. A JSON Schema, for cards to refer to as $ref: "#/$defs/name".',
    },
  ],
])('a faulty definition is the only problem: %s', async (_name, defs, problem) => {
  const { problems } = await loadSku(defs, '{ $ref: "#/$defs/sku" }')
  expect(problems).toEqual([problem])
})

test('a card with another fault still uses its definitions', async () => {
  const { problems } = await load({
    'upstream.yaml': `${UPSTREAM}$defs:\n${SKU}`,
    'part.view.yaml': card('{ $ref: "#/$defs/sku" }').replace('effect: read', 'effect: maybe'),
  })
  expect(problems.map(({ message }) => message)).toEqual([
    'effect must be one of read, idempotent, write',
  ])
})

test('a definition does not count as unused while a card cannot be read', async () => {
  const { problems } = await load({
    'upstream.yaml': `${UPSTREAM}$defs:\n${SKU}`,
    'part.view.yaml': card('{ $ref: "#/$defs/sku"'),
  })
  expect(problems.map(({ place }) => place)).toEqual(['0/part.view.yaml:9'])
})
