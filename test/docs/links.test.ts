import { existsSync, globSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { readPage, root } from './pages.ts'

const NOT_OURS = new Set(['node_modules', '.git', 'dist', 'data'])

/** Every page of the project, by its path from the root. */
const pages = globSync('**/*.md', {
  cwd: root,
  exclude: path => NOT_OURS.has(basename(path)),
}).toSorted()

describe.each(pages)('%s', page => {
  const links = linksOf(page)

  test('links only to files and headings that exist', () => {
    expect(links.filter(link => !resolves(page, link))).toEqual([])
  })

  test('names only npm scripts that exist', () => {
    const named = [...readPage(page).matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name]) => name)
    expect(named.filter(name => !Object.hasOwn(manifest.scripts, name ?? ''))).toEqual([])
  })
})

test.each(['docs', 'docs/decisions'])('%s/README.md links to every page of its folder', folder => {
  const others = readdirSync(join(root, folder))
    .filter(name => name.endsWith('.md') && name !== 'README.md')
    .toSorted()
  const linked = linksOf(`${folder}/README.md`).map(link => link.split('#')[0])
  expect(others.filter(name => !linked.includes(name))).toEqual([])
})

test('README.md can be read in one go', () => {
  expect(readPage('README.md').split('\n').length).toBeLessThanOrEqual(150)
})

/** The targets of a page's links and images, without those to other hosts. */
function linksOf(page: string): string[] {
  return [...withoutCode(readPage(page)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter(target => !/^[a-z]+:/.test(target))
}

function resolves(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#')
  const target = path === '' ? page : relative(root, join(root, dirname(page), path))
  if (!existsSync(join(root, target))) return false
  if (heading === undefined) return true
  return statSync(join(root, target)).isFile() && headingsOf(target).has(heading)
}

/** The anchors of a page's headings, as GitHub makes them. */
function headingsOf(page: string): ReadonlySet<string> {
  const titles = withoutFences(readPage(page)).matchAll(/^#+ (.+)$/gm)
  const seen = new Map<string, number>()
  return new Set(
    [...titles].map(([, title = '']) => {
      const anchor = title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-')
      const before = seen.get(anchor) ?? 0
      seen.set(anchor, before + 1)
      return before === 0 ? anchor : `${anchor}-${before}`
    }),
  )
}

/** In code, brackets and parentheses are no links. */
function withoutCode(page: string): string {
  return withoutFences(page).replaceAll(/`[^`\n]*`/g, '')
}

function withoutFences(page: string): string {
  return page.replaceAll(/^```.*?^```/gms, '')
}
