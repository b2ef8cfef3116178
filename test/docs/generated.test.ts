import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PAGES } from '../../docs/generate.ts'

test.each(Object.entries(PAGES))('docs/%s is what docs/generate.ts makes', (name, make) => {
  const committed = readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')
  expect(committed, 'run: npm run docs').toBe(make())
})
