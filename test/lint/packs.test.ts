import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import {
  checkPackPrefix,
  DEFAULT_PACKS,
  PACKS,
  packDirectories,
  SHIPPED,
} from '../../src/cards/packs.ts'
import type { Problem } from '../../src/lib/problem.ts'
import { loadPacks } from '../support/packs.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const sources = globSync(['src/**/*.ts', 'adapters/**/*.ts', 'routes/**/*.ts'], { cwd: root })

/** Texts in quotes outside comments; a template counts if nothing is filled in. */
function literals(text: string): string[] {
  const code = text.replace(/^ *(?:\/?\*|\/\/).*$/gm, '')
  return [...code.matchAll(/'([^'\n]{1,100})'|"([^"\n]{1,100})"|`([^`$\n]{1,100})`/g)].map(
    ([, single, double, template]) => single ?? double ?? template ?? '',
  )
}

test.each(PACKS)('no code names the pack %s or one of its capabilities', pack => {
  const files = globSync('*.yaml', { cwd: join(SHIPPED, pack) })
  const names = new Set([pack, ...files.map(file => basename(file, '.yaml'))])
  names.delete('upstream')
  const found = sources.flatMap(file =>
    literals(readFileSync(join(root, file), 'utf8'))
      .filter(literal => names.has(literal))
      .map(literal => `${file}: ${literal}`),
  )
  // npm itself installs the published API.
  expect(found.filter(line => line !== 'src/tools/contract/published.ts: npm')).toEqual([])
})

test.each(PACKS)('the pack %s has no faults, and its files are named like its ids', async pack => {
  const { problems, cards } = await loadPacks(packDirectories([pack]))
  expect(problems).toEqual([])
  expect([...cards].filter(([id, { file }]) => basename(file) !== `${id}.yaml`)).toEqual([])
})

test('all packs can be loaded together', async () => {
  const { problems, upstreams } = await loadPacks(packDirectories(PACKS))
  expect(problems).toEqual([])
  expect(upstreams.map(({ upstream }) => upstream.id)).toEqual(PACKS)
})

test('an id must begin with the name of its pack, unless its pack is the default', () => {
  const problems: Problem[] = []
  for (const pack of PACKS) {
    const [folder = ''] = packDirectories([pack])
    checkPackPrefix({ id: 'thing.view', file: `${pack}.yaml` }, folder, problems)
    checkPackPrefix({ id: `${pack}.view`, file: `${pack}.yaml` }, folder, problems)
  }
  const others = PACKS.filter(pack => !DEFAULT_PACKS.includes(pack))
  expect(problems).toEqual(
    others.map(pack => ({
      file: `${pack}.yaml`,
      line: null,
      message: 'thing.view does not begin with the name of its pack',
      fix: `Rename it to ${pack}.thing.view.`,
    })),
  )
})
