import { expect, test } from 'vitest'
import { PAGES } from '../../docs/generate.ts'
import { readPage } from './pages.ts'

test.each(Object.entries(PAGES))('docs/%s is what docs/generate.ts makes', (name, make) => {
  expect(readPage(`docs/${name}`), 'run: npm run docs').toBe(make())
})

test('README.md counts the capabilities right', () => {
  const [count] = /\d+ capabilities/.exec(readPage('docs/capabilities.md')) ?? []
  expect(readPage('README.md')).toContain(`[${count} of GitHub]`)
})
