import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { LAYERS } from '../../layers.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const place = mkdtempSync(join(tmpdir(), 'signalbox-lint-'))
afterAll(() => rmSync(place, { recursive: true }))

const folders = Object.keys(LAYERS)

/** A folder that the layer must not know. */
function strangerTo(layer: string): string {
  const allowed = LAYERS[layer] ?? []
  const isKnown = (path: string) =>
    [layer, ...allowed].some(one => path === one || path.startsWith(`${one}/`))
  const stranger = ['src/commands', 'src/gateway', 'routes', 'sandbox', 'test'].find(
    path => !isKnown(path),
  )
  if (!stranger) throw new Error(`${layer} may import everything`)
  return stranger
}

function write(file: string, target: string): void {
  mkdirSync(dirname(join(place, file)), { recursive: true })
  const way = relative(dirname(file), target)
  writeFileSync(
    join(place, file),
    `export { one } from '${way.startsWith('.') ? way : `./${way}`}'\n`,
  )
}

/** The files in which oxlint, with this project's settings, finds an import that is not allowed. */
async function restricted(): Promise<Set<string>> {
  const args = ['--format', 'json', '--disable-nested-config']
  const output = await new Promise<string>(resolve => {
    const oxlint = join(root, 'node_modules/.bin/oxlint')
    execFile(process.execPath, [oxlint, ...args], { cwd: place }, (_error, stdout) =>
      resolve(stdout),
    )
  })
  const { diagnostics } = JSON.parse(output) as {
    diagnostics: { code: string; filename: string }[]
  }
  return new Set(
    diagnostics
      .filter(({ code }) => code.includes('no-restricted-imports'))
      .map(({ filename }) => filename),
  )
}

test('lint refuses an import that a layer may not make, in its folder and in folders below it', async () => {
  for (const name of ['oxlint.config.ts', 'layers.ts', 'package.json']) {
    cpSync(join(root, name), join(place, name))
  }
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'))
  const forbidden: string[] = []
  for (const layer of folders) {
    for (const file of [`${layer}/forbidden.ts`, `${layer}/deeper/forbidden.ts`]) {
      write(file, `${strangerTo(layer)}/one.ts`)
      forbidden.push(file)
    }
    const [first] = LAYERS[layer] ?? []
    if (first) write(`${layer}/allowed.ts`, first.endsWith('.ts') ? first : `${first}/one.ts`)
    write(`${layer}/deeper/own.ts`, `${layer}/one.ts`)
  }

  expect([...(await restricted())].toSorted()).toEqual(forbidden.toSorted())
})

test('lint refuses an import of the sandbox that bypasses its index', async () => {
  write('bench/bypass.ts', 'sandbox/store/store.ts')
  write('bench/entrance.ts', 'sandbox/index.ts')

  const refused = await restricted()
  expect(refused).toContain('bench/bypass.ts')
  expect(refused).not.toContain('bench/entrance.ts')
})

test('every folder of src has its list', () => {
  const inSource = readdirSync(join(root, 'src'), { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => `src/${name}`)

  expect(folders.filter(folder => folder.startsWith('src/')).toSorted()).toEqual(
    inSource.toSorted(),
  )
})
