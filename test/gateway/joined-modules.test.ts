import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { joinModules } from '../../routes/support/joined-modules.ts'

/** Runs the script of joined modules, and returns what they reported. */
function run(modules: Record<string, string>): unknown[] {
  const reports: unknown[] = []
  const script = joinModules(new Map(Object.entries(modules)), 'main.js')
  runInNewContext(script, { report: (...values: unknown[]) => void reports.push(...values) })
  return reports
}

test.each([
  ['a function', 'export function a() { return 1 }', 'a()'],
  ['an async function', 'export async function a() {}', 'a() instanceof Promise && 1'],
  ['a generator', 'export function* a() { yield 1 }', '[...a()][0]'],
  ['an async generator', 'export async function* a() {}', "typeof a().next === 'function' && 1"],
  ['a constant', 'export const a = 1', 'a'],
  ['a class', 'export class a { static b = 1 }', 'a.b'],
  ['a list of names', 'const a = 1\nexport {\n  a\n};', 'a'],
  ['a list of other names, after other code', 'var x=1;export{x as a};', 'a'],
])('an export is imported: %s', (_what, exported, value) => {
  const main = `import { a } from './lib/a.js'\nreport(${value})`
  expect(run({ 'lib/a.js': exported, 'main.js': main })).toEqual([1])
})

test.each([
  ['by another name', "import { a as b } from './lib/a.js'\nreport(b)"],
  ['on several lines', "import {\n  a,\n} from './lib/a.js'\nreport(a)"],
  ['without spaces', 'import{a}from"./lib/a.js";report(a)'],
  ['after another', 'import{a}from"./lib/a.js";import b from"./lib/b.js";report(b())'],
  ['as the default', "import a from './lib/b.js'\nreport(a())"],
  ['late', "(async () => report((await import('./lib/a.js')).a))()"],
])('an import is resolved: %s', (_what, main) => {
  const lib = {
    'lib/a.js': 'export const a = 1',
    'lib/b.js': "import { a } from './a.js'\nvar c=1;export default function() { return a }",
  }
  expect(run({ ...lib, 'main.js': main })).toEqual([1])
})

test('a module runs once, when another first imports it', () => {
  const modules = {
    'a.js': "report('a')\nexport const a = 1",
    'b.js': "import { a } from './a.js'\nreport('b')\nexport const b = a",
    'main.js': "import { b } from './b.js'\nimport { a } from './a.js'\nreport('main')",
    'unused.js': "report('unused')",
  }
  expect(run(modules)).toEqual(['a', 'b', 'main'])
})

test.each([
  ["import './a.js'"],
  ["export * from './a.js'"],
  ["export { a } from './a.js'"],
  ["import * as a from './a.js'"],
  ["import a, { b } from './a.js'"],
  ["import*as a from'./a.js'", 'var b=1;'],
  ["export*from'./a.js'", 'function b(){}'],
])('another form is refused: %s', (text, before = '') => {
  expect(() => joinModules(new Map([['main.js', before + text]]), 'main.js')).toThrow(
    `main.js has a form that cannot be joined: ${text}`,
  )
})
