import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signalbox } from '../commands/support/signalbox.ts'
import { root } from '../docs/pages.ts'

const HEAD = `import { createClient, paginate, unwrap } from '../../../client/client.ts'
const client = createClient({ url: 'http://127.0.0.1:8080' })
const repo = { owner: 'o', name: 'n' }
`

/** Each stands in a file of its own. */
const ACCEPTED = [
  "const made = await unwrap(client.call('issue.create', { ...repo, title: 't' })); made.number.toFixed()",
  "const seen = await client.call('repo.view', repo); if (seen.ok) seen.data.name.trim(); else seen.error.code.trim()",
  "for await (const issue of paginate(client, 'issue.list', repo)) issue.title.trim()",
  "const some = await unwrap(client.call('repo.view', repo, { fields: 'name', timeoutMs: 5 })); some.name?.trim()",
  "const brief: unknown = await client.call('repo.view', repo, { profile: 'brief' }); void brief",
  "const plain = await unwrap(client.call('repo.view', repo, { profile: 'default', noStore: true })); plain.name.trim()",
  "const done = await client.batch(plan => ({ one: plan.call('repo.view', repo, { fields: 'name', route: 'rest' }) })); if (done.ok && done.results.one.ok) done.results.one.data.name?.trim()",
  `await client.batch(plan => {
     const list = plan.call('issue.list', repo)
     const all = plan.each('issue.view', list.data.items, item => ({ ...repo, issueNumber: item.number }))
     return { list, all }
   })`,
]

const REJECTED: readonly (readonly [string, string])[] = [
  ['an unknown capability', "await client.call('issue.make', repo)"],
  ['a missing member', "await client.call('issue.create', repo)"],
  ['an unknown member', "await client.call('repo.view', { ...repo, nam: 'x' })"],
  ['a wrong type', "await client.call('issue.view', { ...repo, issueNumber: '1' })"],
  ['a value outside the enum', "await client.call('issue.list', { ...repo, state: 'opened' })"],
  [
    'data of a result that may have failed',
    "const seen = await client.call('repo.view', repo); seen.data.name.trim()",
  ],
  [
    'a member that the output lacks',
    "const data = await unwrap(client.call('repo.view', repo)); data.colour.trim()",
  ],
  [
    'a reference of another type',
    "await client.batch(plan => { const view = plan.call('repo.view', repo); return { next: plan.call('issue.view', { ...repo, issueNumber: view.data.name }) } })",
  ],
  [
    'items of a value that is no list',
    "await client.batch(plan => { const view = plan.call('repo.view', repo); return { all: plan.each('issue.view', view.data, () => ({ ...repo, issueNumber: 1 })) } })",
  ],
  [
    'pages of a capability that is no list',
    "for await (const item of paginate(client, 'repo.view', repo)) void item",
  ],
  [
    'a member that fields may leave out',
    "const some = await unwrap(client.call('repo.view', repo, { fields: 'id' })); some.name.trim()",
  ],
  [
    'data of a dialect',
    "const seen = await client.call('repo.view', repo, { profile: 'compact' }); if (seen.ok) void seen",
  ],
  [
    'a dialect for a step of a batch',
    "await client.batch(plan => ({ one: plan.call('repo.view', repo, { profile: 'compact' }) }))",
  ],
  [
    'fields of pages',
    "for await (const issue of paginate(client, 'issue.list', repo, { fields: 'items.title' })) void issue",
  ],
  ['a client without an address', "createClient({ key: 'k' })"],
]

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(root, 'test/client/.types-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('tsc accepts each right use of the client, and rejects each wrong one', async () => {
  const write = (name: string, line: string) =>
    writeFileSync(join(folder, `${name}.ts`), `${HEAD}void [paginate, unwrap]\n${line}\n`)
  ACCEPTED.forEach((line, index) => write(`right-${index}`, line))
  REJECTED.forEach(([, line], index) => write(`wrong-${index}`, line))
  const { stdout: own } = await signalbox(['types', '--packs', 'npm'], {})
  writeFileSync(join(folder, 'own.ts'), own)
  const typed = 'createClient<Capabilities>({ url })'
  const imported = `import { createClient } from '../../../client/client.ts'
import type { Capabilities } from './own.ts'
const url = 'http://127.0.0.1:8080'

`
  writeFileSync(
    join(folder, 'right-own.ts'),
    `${imported}void ${typed}.call('npm.package.view', { name: 'left-pad' })\n`,
  )
  writeFileSync(
    join(folder, 'wrong-own.ts'),
    `${imported}void ${typed}.call('repo.view', { name: 'x' })\n`,
  )
  const options = { noUnusedLocals: false, skipLibCheck: true }
  const config = { extends: '../../../tsconfig.json', compilerOptions: options, include: ['*.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...config, exclude: [] }))
  const tsc = join(root, 'node_modules/.bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
    encoding: 'utf8',
  })
  const faulty = new Set(
    [...stdout.matchAll(/(right|wrong)-\w+(?=\.ts\(5,)/g)].map(([name]) => name),
  )
  expect([...faulty].toSorted()).toEqual(
    ['wrong-own', ...REJECTED.map((_, index) => `wrong-${index}`)].toSorted(),
  )
}, 60_000)
