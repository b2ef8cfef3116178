import { describe, expect, test } from 'vitest'
import { compilePath } from '../../../adapters/rest/path.ts'
import { RequestError } from '../../../adapters/rest/request-error.ts'

describe('a path template', () => {
  test.each([
    ['/repos/{owner}/{name}', { owner: 'a', name: 'b.c' }, '/repos/a/b.c'],
    ['/x/{value}', { value: 'a/b?c#d %2e' }, '/x/a%2Fb%3Fc%23d%20%252e'],
    ['/x/{value}', { value: 'a\r\nX: y' }, '/x/a%0D%0AX%3A%20y'],
    ['/x/{value}', { value: "--help; rm -rf '$HOME'" }, '/x/--help%3B%20rm%20-rf%20%27%24HOME%27'],
    ['/x/{value}', { value: '__proto__' }, '/x/__proto__'],
    ['/x/{value}', { value: 7 }, '/x/7'],
    ['/x/{+value}', { value: 'docs/a b?.md' }, '/x/docs/a%20b%3F.md'],
    ['/x{?q,page}', { q: 'a&b' }, '/x?q=a%26b'],
    ['/x{?tags*}', { tags: ['a', 'b'] }, '/x?tags=a&tags=b'],
    ['/x/{lookup.pull.sha}', { lookup: { pull: { sha: 'a/b' } } }, '/x/a%2Fb'],
    ['/x/{+lookup.pull.ref}', { lookup: { pull: { ref: 'a/b' } } }, '/x/a/b'],
    ['/x/{value}', { value: '...' }, '/x/...'],
    ['/x/{value}', { value: 'a..b' }, '/x/a..b'],
  ])('%s over %o is %s', (template, input, path) => {
    expect(compilePath(template)(input)).toBe(path)
  })

  test.each([
    ['/x/{value}', '..'],
    ['/x/{value}', '.'],
    ['/x/{value}', '../../admin'],
    ['/x/{value}', '..\\admin'],
    ['/x/{+value}', 'a/../../admin'],
    ['/x/{value}/y', ''],
    ['/x/{value}', null],
    ['/x/{value}', { a: 1 }],
    ['/x/{value}', '\ud800'],
    ['/x{/value}', undefined],
  ])('%s refuses %o, naming the field', (template, value) => {
    const build = compilePath(template)
    expect(() => build({ value })).toThrow(RequestError)
    expect(() => build({ value })).toThrow(/^value /)
  })

  test('does not read inherited members', () => {
    expect(() => compilePath('/x/{toString}')({})).toThrow(RequestError)
  })

  test('refuses a lookup without the value, naming it', () => {
    const build = compilePath('/x/{lookup.pull.sha}')
    expect(() => build({ lookup: { pull: null } })).toThrow(/^lookup\.pull\.sha /)
    expect(() => build({ lookup: { pull: { sha: '..' } } })).toThrow(RequestError)
  })

  test.each(['/x/{input.a}', '/x/{', '/x/{}', '/x/{a b}', '/x#y', '/x/{#y}', '/a b'])(
    '%s is not a template',
    template => {
      expect(() => compilePath(template)).toThrow(SyntaxError)
    },
  )
})
