import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

interface Component {
  readonly name: string
  readonly version: string
  readonly licenses?: readonly unknown[]
  readonly hashes?: readonly { readonly alg: string }[]
}

const root = fileURLToPath(new URL('../..', import.meta.url))

test('npm run sbom lists each package of a production install, with licence and hash', () => {
  const { stdout, status } = spawnSync('npm', ['run', '--silent', 'sbom'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  expect(status).toBe(0)
  const { bomFormat, components } = JSON.parse(stdout) as {
    readonly bomFormat: string
    readonly components: readonly Component[]
  }
  expect(bomFormat).toBe('CycloneDX')
  const manifest = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
    readonly devDependencies: Readonly<Record<string, string>>
  }
  const names = new Set(components.map(({ name }) => name))
  expect(Object.keys(manifest.dependencies).filter(name => !names.has(name))).toEqual([])
  expect(names.has('vitest')).toBe(false)
  const incomplete = components.filter(
    ({ licenses = [], hashes = [] }) =>
      licenses.length === 0 || !hashes.some(({ alg }) => alg === 'SHA-512'),
  )
  expect(incomplete.map(({ name }) => name)).toEqual([])
}, 60_000)
