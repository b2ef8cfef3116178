import { expect, test } from 'vitest'
import { safeUrl } from '../../../src/observe/tracing/safe-url.ts'

const ORIGIN = 'https://api.example.com'

test.each([
  ['/repos/octo-org/hello-world', `${ORIGIN}/repos/octo-org/hello-world`],
  ['/items?page=2&per_page=100&draft=true', `${ORIGIN}/items?page=2&per_page=100&draft=true`],
  ['/search?q=who%20is%20it&sort=created', `${ORIGIN}/search?q=REDACTED&sort=REDACTED`],
  ['/items?api_key=123456&empty=&flag', `${ORIGIN}/items?api_key=REDACTED&empty=&flag`],
  ['/items?a=b=c#part', `${ORIGIN}/items?a=REDACTED`],
  ['/bot-4711-secret/send', `${ORIGIN}/bot-[redacted]/send`],
  [`/x/ghp_${'a'.repeat(36)}`, `${ORIGIN}/x/[redacted]`],
  ['https://user:password@other.example.com/x', 'https://other.example.com/x'],
])('shows %s as %s', (path, shown) => {
  expect(safeUrl({ method: 'GET', origin: ORIGIN, path }, ['4711-secret'])?.href).toBe(shown)
})

test('shows nothing of an address that cannot be read', () => {
  expect(safeUrl({ method: 'GET', origin: 'nowhere', path: '/x' }, [])).toBeNull()
})
