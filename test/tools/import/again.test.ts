import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runHere } from '../../commands/support/run-here.ts'
import { temporaryDirectory } from '../../commands/support/signalbox.ts'

vi.setConfig({ testTimeout: 120_000 })

const answer = (member: string) => ({
  content: {
    'application/json': {
      schema: { type: 'object', properties: { [member]: { type: 'string' } } },
    },
  },
})
const list = (member: string) => ({
  get: { responses: { 200: { description: 'OK', ...answer(member) } } },
})
const before = { '/bolts': list('name'), '/nuts': list('name'), '/pins': list('name') }
const after = { '/bolts': list('title'), '/nuts': list('title'), '/rods': list('title') }

/** A folder that an import has written, and functions to go on from there. */
async function imported() {
  const place = await temporaryDirectory()
  onTestFinished(() => place[Symbol.asyncDispose]())
  const out = join(place.path, 'stock')
  const run = async (paths: object, ...args: string[]) => {
    const file = join(place.path, 'stock.json')
    const servers = [{ url: 'http://127.0.0.1:1' }]
    const info = { title: 'Stock', version: '1' }
    await writeFile(file, JSON.stringify({ openapi: '3.1.0', info, servers, paths }))
    const ended = await runHere(['import', file, '--out', out, ...args])
    expect(ended).toMatchObject({ code: 0 })
    return ended.stdout
  }
  const read = (card: string) => readFile(join(out, `${card}.yaml`), 'utf8')
  const edit = async (card: string) => {
    const text = `# Mine.\n${await read(card)}`.replace('version: 1.0.0', 'version: 1.1.0')
    await writeFile(join(out, `${card}.yaml`), text)
    return text
  }
  const first = await run(before)
  expect(first).toContain('Wrote 4 files')
  expect(first).not.toContain('Compared')
  return { out, run, read, edit }
}

test('a second import updates cards, keeps edited ones with a diff, and names new and removed ones', async () => {
  const { run, read, edit } = await imported()
  const edited = await edit('nut.list')
  const stdout = await run(after)
  expect(stdout).toContain('  bolt.list.yaml: changed in the document\n')
  expect(stdout).toContain('  rod.list.yaml: new\n')
  expect(stdout).toContain('  pin.list.yaml: no longer in the document, and kept;')
  expect(stdout).toContain(
    '  nut.list.yaml: edited by you, and kept; the document has this instead:',
  )
  expect(stdout).toMatch(/^ {4}-version: 1\.1\.0\n {4}\+version: 1\.0\.0$/m)
  expect(stdout).toMatch(/^ {4}\+.*title/m)
  expect(stdout).toContain('  1 file unchanged\n')
  expect(stdout).toMatch(/Wrote 2 files to .*, and kept nut.list\.yaml\.$/m)
  expect(await read('bolt.list')).toContain('title')
  expect(await read('nut.list')).toBe(edited)
  expect(await read('pin.list')).toContain('name')
})

test('an import of the same document writes nothing, and repeats no diff', async () => {
  const { run, edit } = await imported()
  await edit('nut.list')
  expect(await run(before)).toContain(
    'nut.list.yaml: edited by you, and kept; the document says the',
  )
  await run(after)
  const stdout = await run(after)
  expect(stdout).toContain('Wrote 0 files')
  expect(stdout).toContain('  3 files unchanged\n')
  expect(stdout).toContain('nut.list.yaml: edited by you, and kept; the document says the same')
  expect(stdout).not.toContain('+version')
})

test('a deleted card stays deleted, and is forgotten when the document lacks it too', async () => {
  const { out, run } = await imported()
  await rm(join(out, 'nut.list.yaml'))
  expect(await run(before)).toContain('nut.list.yaml: deleted by you, and not written again')
  await rm(join(out, 'pin.list.yaml'))
  expect(await run(after)).not.toContain('pin.list')
  expect(await readdir(out)).not.toContain('nut.list.yaml')
  expect(await readFile(join(out, '.import.json'), 'utf8')).not.toContain('pin.list')
})

test('a deleted upstream.yaml is written again, since no card works without it', async () => {
  const { out, run } = await imported()
  await rm(join(out, 'upstream.yaml'))
  expect(await run(before, '--only', '/bolts')).toContain('  upstream.yaml: new')
})

test('--force overwrites edited cards, and writes deleted ones', async () => {
  const { out, run, read, edit } = await imported()
  await edit('nut.list')
  await rm(join(out, 'bolt.list.yaml'))
  const stdout = await run(before, '--force')
  expect(stdout).toContain('nut.list.yaml: edited by you, and overwritten because of --force')
  expect(await read('nut.list')).toContain('version: 1.0.0')
  expect(await read('bolt.list')).toContain('version: 1.0.0')
})

test('--dry-run shows the changes and writes nothing', async () => {
  const { run, read } = await imported()
  const stdout = await run(after, '--dry-run')
  expect(stdout).toContain('  bolt.list.yaml: changed in the document\n')
  expect(stdout).toContain('Wrote nothing')
  expect(await read('bolt.list')).toContain('name')
})

test('an import of some operations leaves the others and upstream.yaml alone', async () => {
  const { out, run, read, edit } = await imported()
  await edit('upstream')
  const stdout = await run(after, '--only', '/rods')
  expect(stdout).not.toMatch(/bolt|nut/)
  expect(stdout).toMatch(/Wrote 1 file to .*, and kept upstream\.yaml\.$/m)
  expect(await read('bolt.list')).toContain('name')
  expect(await run(after)).toContain('  bolt.list.yaml: changed in the document\n')
  expect(await readdir(out)).toContain('.import.json')
})

test('other line ends are no edit', async () => {
  const { out, run, read } = await imported()
  await writeFile(join(out, 'nut.list.yaml'), (await read('nut.list')).replaceAll('\n', '\r\n'))
  expect(await run(after)).toContain('  nut.list.yaml: changed in the document\n')
})
