import { expect, test } from 'vitest'
import { PAGES } from '../../docs/generate.ts'
import { readPage } from './pages.ts'

test.each(Object.entries(PAGES))('docs/%s is what docs/generate.ts makes', (name, make) => {
  expect(readPage(`docs/${name}`), 'run: npm run docs').toBe(make())
})

test('README.md counts the capabilities right, to the last fifty', () => {
  const [, count] = /(\d+) capabilities/.exec(readPage('docs/capabilities.md')) ?? []
  const rounded = Math.floor(Number(count) / 50) * 50
  expect(readPage('README.md')).toContain(`[over ${rounded} capabilities of GitHub]`)
})
