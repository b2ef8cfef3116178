import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LAYERS } from '../../layers.ts'
import { readPage, root } from './pages.ts'

const decisions = readdirSync(join(root, 'docs/decisions')).map(name => `docs/decisions/${name}`)

describe.each(['docs/architecture.md', 'docs/promises.md', 'CONTRIBUTING.md', ...decisions])(
  '%s',
  page => {
    const parts = codeSpans(page)

    test('names only files and folders that exist', () => {
      const named = parts.flatMap(spans => spans.filter(isPath).flatMap(expandBraces))
      expect(named.filter(path => !existsSync(join(root, checkable(path))))).toEqual([])
    })

    test('names functions and types beside the files that declare them', () => {
      const declarations = parts.flatMap(spans => {
        const files = spans.filter(isFile)
        return files.length === 0 ? [] : spans.filter(isName).map(name => ({ name, files }))
      })
      expect(
        declarations.filter(({ name, files }) => !files.some(file => declares(file, name))),
      ).toEqual([])
    })
  },
)

test('docs/architecture.md describes every layer, and src has few enough entries to read', () => {
  const entries = readdirSync(join(root, 'src'))
  expect(entries.length).toBeLessThanOrEqual(20)
  const described = new Set(codeSpans('docs/architecture.md').flat())
  const folders = Object.keys(LAYERS).filter(layer => !layer.startsWith('adapters/http/'))
  const expected = [...entries.map(name => `src/${name}`), ...folders]
  expect(expected.filter(path => !described.has(path))).toEqual([])
})

/** The code spans of each row of a table and each paragraph: a name and its file stand in the same one. */
function codeSpans(page: string): string[][] {
  return readPage(page)
    .replaceAll(/^```.*?^```/gms, '')
    .split('\n\n')
    .flatMap(part => (part.startsWith('|') ? part.split('\n') : [part]))
    .map(text => [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span))
}

/** Files of which every upstream may have one: these names are no paths. */
const PER_UPSTREAM = ['upstream.yaml', 'hints.yaml']

function isPath(span: string): boolean {
  if (PER_UPSTREAM.includes(span)) return false
  return /^[\w.-]+(\/[\w.{},<>-]+)+\/?$/.test(span) || isFileName(span)
}

function isFile(span: string): boolean {
  return isFileName(span) && existsSync(join(root, span))
}

function isFileName(span: string): boolean {
  return /^[\w./-]+\.(ts|js|md|yaml)$/.test(span)
}

/** `adapters/{rest,cli}` → both. */
function expandBraces(path: string): string[] {
  const [, before, options, after] = /^(.*)\{(.+)\}(.*)$/.exec(path) ?? []
  return options === undefined ? [path] : options.split(',').map(one => `${before}${one}${after}`)
}

/** The folder, where the name of the file is a placeholder. */
function checkable(path: string): string {
  return path.includes('<') ? dirname(path) : path
}

/** `name()`, a type, or a constant in capitals. */
function isName(span: string): boolean {
  return /^\w+\(\)$/.test(span) || /^[A-Z][A-Za-z]+$/.test(span)
}

function declares(file: string, name: string): boolean {
  if (!statSync(join(root, file)).isFile()) return false
  const bare = name.replace('()', '')
  const keyword = '(?:function|class|interface|type|const|get|async)'
  return new RegExp(`\\b${keyword} ${bare}\\b|^ +(?:readonly )?${bare}[(?:]`, 'm').test(
    readPage(file),
  )
}
