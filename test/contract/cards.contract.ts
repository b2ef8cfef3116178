import { readFileSync } from 'node:fs'
import { parse as parseGraphql, visit } from 'graphql'
import { expect, test } from 'vitest'
import { loadCapabilities } from '../../src/cards/load.ts'
import { packDirectories } from '../../src/cards/packs.ts'
import { createAdapters } from '../../src/gateway/adapters.ts'
import type { Problem } from '../../src/lib/problem.ts'
import { parseSource } from '../../src/lib/yaml-source.ts'
import type { Card } from '../../src/model/card.ts'
import { callsOf, type RestCall } from '../../src/tools/contract/calls.ts'
import {
  additionsTo,
  checkCard,
  checkContract,
  emptyReport,
} from '../../src/tools/contract/check.ts'
import { readSchemas } from '../../src/tools/contract/graphql.ts'
import { readPublishedApi } from '../../src/tools/contract/published.ts'

const loaded = loadCapabilities({
  directories: packDirectories(['github']),
  adapters: createAdapters(),
  env: {},
  now: Date.now,
})
await loaded.close()
const cards = [...loaded.cards.values()]
const openApi = readPublishedApi(line => process.stdout.write(`${line}\n`))
const schemas = readSchemas(additionsTo(cards))

test('GitHub publishes every call that the shipped cards make', () => {
  const report = checkContract(cards, openApi)
  expect([...report.problems.keys()]).toEqual([])
  expect(report.documents).toBeGreaterThan(0)
  expect(report.restCalls).toBeGreaterThan(0)
})

test.each(cards.map(card => [card.id, card] as const))(
  '%s: the check finds a wrong field name in any document, with its place',
  (_id, card) => {
    for (const { text, line, name } of misspeltFields(card)) {
      const problems = faultsOf(card, text)
      const messages = problems.map(problem => problem.message).join('\n')
      const found = messages.includes(`${name}X`)
      expect({ line, name, found }).toEqual({ line, name, found: true })
      expect(problems.every(problem => problem.line !== null && problem.fix !== '')).toBe(true)
    }
  },
)

test.each(cards.map(card => [card.id, card] as const))(
  '%s: the check finds a wrong path, parameter or member of a body, with its place',
  (_id, card) => {
    const text = readFileSync(card.file, 'utf8')
    for (const { what, changed } of misspeltCalls(card, text)) {
      const problems = faultsOf(card, changed)
      expect({ what, found: problems.length > 0 }).toEqual({ what, found: true })
      expect(problems.every(({ line, fix }) => line !== null && fix !== '')).toBe(true)
    }
  },
)

function faultsOf(card: Card, text: string): Problem[] {
  const report = emptyReport()
  checkCard(card, text, { openApi, schemas }, report)
  return [...report.problems.values()]
}

interface Misspelt {
  /** The changed file. */
  readonly text: string
  readonly line: number
  readonly name: string
}

/** For each field of each document, yields the card's file with that field renamed. */
function* misspeltFields(card: Card): Generator<Misspelt> {
  const lines = readFileSync(card.file, 'utf8').split('\n')
  const source = parseSource(card.file, lines.join('\n'))
  if (!('value' in source)) return
  for (const call of callsOf(source.value)) {
    if (call.kind !== 'graphql') continue
    const line = source.lineOf(call.at) ?? 1
    // Only in a block scalar do the lines of the file correspond to the lines of the document.
    const isBlock = /\|-?$/.test(lines[line - 1] ?? '')
    if (call.document !== null && isBlock) yield* misspeltInBlock(call.document, lines, line)
    else yield* misspeltInExpression(card, lines, line - 1)
  }
}

function* misspeltInBlock(
  document: string,
  lines: readonly string[],
  first: number,
): Generator<Misspelt> {
  const indent = indentOf(lines[first])
  const names: { line: number; column: number; value: string }[] = []
  visit(parseGraphql(document), {
    Field({ name: { loc, value } }) {
      const { line = 1, column = 1 } = loc?.startToken ?? {}
      if (value !== '__typename') names.push({ line, column, value })
    },
  })
  for (const { line, column, value } of names) {
    const at = first + line - 1
    const end = indent + column - 1 + value.length
    const old = lines[at] ?? ''
    const changed = lines.with(at, `${old.slice(0, end)}X${old.slice(end)}`)
    yield { text: changed.join('\n'), line: at + 1, name: value }
  }
}

function indentOf(line = ''): number {
  return /^ */.exec(line)?.[0].length ?? 0
}

/** In an expression the place of a field in the file is unknown, so rename it everywhere. */
function* misspeltInExpression(
  card: Card,
  lines: readonly string[],
  start: number,
): Generator<Misspelt> {
  const end = lines.findIndex((line, at) => at > start && indentOf(line) <= indentOf(lines[start]))
  const block = lines.slice(start, end === -1 ? undefined : end).join('\n')
  const [, document] =
    /'((?:query|mutation)\b[^']*)'/.exec(block) ??
    /((?:query|mutation)\b[\s\S]*\})/.exec(block) ??
    []
  if (document === undefined) throw new Error(`${card.file}: no document after line ${start + 1}`)
  const names = new Set<string>()
  visit(parseGraphql(document), { Field: ({ name: { value } }) => void names.add(value) })
  names.delete('__typename')
  for (const name of names) {
    const wrong = document.replaceAll(new RegExp(`\\b${name}\\b(?!:)`, 'g'), `${name}X`)
    const text = lines.join('\n').replace(block, () => block.replace(document, () => wrong))
    yield { text, line: start + 1, name }
  }
}

interface MisspeltCall {
  readonly what: string
  /** The changed file. */
  readonly changed: string
}

/** Yields the card's file with a segment of a path, a parameter or a member of a body renamed. */
function* misspeltCalls(card: Card, text: string): Generator<MisspeltCall> {
  const source = parseSource(card.file, text)
  if (!('value' in source)) return
  for (const call of callsOf(source.value)) {
    if (call.kind !== 'rest') continue
    yield* misspeltPaths(call, text)
    yield* misspeltMembers(call, text)
  }
}

function* misspeltPaths({ templates }: RestCall, text: string): Generator<MisspeltCall> {
  for (const template of templates) {
    const [segment] = /(?<=\/)[a-z_]{3,}(?=[/{'?]|$)/.exec(template) ?? []
    if (segment === undefined) continue
    const wrong = template.replace(segment, `${segment}X`)
    yield { what: wrong, changed: text.replaceAll(template, wrong) }
  }
}

function* misspeltMembers({ query, body }: RestCall, text: string): Generator<MisspeltCall> {
  for (const part of [query, body]) {
    if (!part || part.tree === null || typeof part.tree !== 'object') continue
    for (const key of Object.keys(part.tree)) {
      const changed = text.replaceAll(new RegExp(`([{ ,]\\s*|^\\s+)${key}:`, 'gm'), `$1${key}X:`)
      yield { what: `${key} of ${part.at.join('.')}`, changed }
    }
  }
}
