import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plainParameter } from '../../src/lib/parameters.ts'
import { compileTarget } from '../../src/lib/request-target.ts'
import { ValueError } from '../../src/lib/value-error.ts'

describe('a request target', () => {
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
    ['/x/{+value}', { value: 'feature#1' }, '/x/feature%231'],
    ['/x/{+value}', { value: '%2e%2e/a%2Fb' }, '/x/%252e%252e/a%252Fb'],
    ['/x/{+value}', { value: 'a:b/@c' }, '/x/a%3Ab/%40c'],
    ['/x{/value*}', { value: ['a#b', 'c/d'] }, '/x/a%23b/c%2Fd'],
    ['/x{?q}', { q: 'a/../b' }, '/x?q=a%2F..%2Fb'],
    ['/x/{value}?q=1', { value: 'a?b' }, '/x/a%3Fb?q=1'],
    ['/x/{value*}', { value: ['a,b', 'c'] }, '/x/a%2Cb,c'],
    ['/x/{value*}', { value: { a: 1, 'b=': 'c,d' } }, '/x/a=1,b%3D=c%2Cd'],
    ['/x/{.value*}', { value: ['a', 'b'] }, '/x/.a.b'],
    ['/x/{;value*}', { value: ['a;b', 'c'] }, '/x/;value=a%3Bb;value=c'],
    ['/x/{;value}', { value: ['a', 'b'] }, '/x/;value=a,b'],
  ])('%s over %o is %s', (template, input, path) => {
    expect(compileTarget(template)(input)).toBe(path)
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
    ['/x/{value}', 'a\0b'],
    ['/x/{+value}', 'a//b'],
    ['/x/{+value}', '/a'],
    ['/x/{+value}', 'a/'],
    ['/x{/value}', undefined],
    ['/x{/value*}', []],
    ['/x{/value*}', ['a', '..']],
    ['/x{/value*}', ['a', '']],
    ['/x{?value}', 'a\0b'],
    ['/x{?first,value}', '\ud800'],
    ['/x{?value}', { a: 1 }],
    ['/x/{value:1}', '🚂'],
    ['/x/{value*}', { a: '' }],
    ['/x/{;value}', { a: 1 }],
    ['/x/{value*}', {}],
    ['/x/{value*}', { a: { b: 1 } }],
  ])('%s refuses %o, naming the field', (template, value) => {
    const build = compileTarget(template)
    expect(() => build({ value })).toThrow(ValueError)
    expect(() => build({ value })).toThrow(/^value /)
  })

  test('appends parameters: null omits one, an array repeats it', () => {
    const build = compileTarget('/x{?a}')
    const parameters = [
      [plainParameter('b'), null],
      [plainParameter('c d'), ['#', 1, true]],
    ] as const
    expect(build({}, parameters)).toBe('/x?c%20d=%23&c%20d=1&c%20d=true')
    expect(build({ a: '&' }, parameters)).toBe('/x?a=%26&c%20d=%23&c%20d=1&c%20d=true')
    for (const value of ['\0', '\ud800', {}]) {
      expect(() => build({}, [[plainParameter('b'), value]])).toThrow(/^b /)
    }
  })

  test('any text means itself in a path and a query, or is refused', () => {
    const build = compileTarget('/a/{one}/b/{+several}/c{?q}')
    const text = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.string({
        unit: fc.constantFrom(
          '.',
          '/',
          '\\',
          '%2e',
          '%2F',
          '#',
          '?',
          '&',
          '+',
          ';',
          ' ',
          '{',
          '\0',
        ),
        minLength: 1,
      }),
    )
    let built = 0
    fc.assert(
      fc.property(text, text, text, (one, several, q) => {
        let target: string
        try {
          target = build({ one, several, q })
        } catch (error) {
          expect(error).toBeInstanceOf(ValueError)
          return
        }
        built += 1
        // The outcome, as client and server see it.
        const { pathname, search, hash, searchParams } = new URL(target, 'http://service.test')
        expect(pathname + search + hash).toBe(target)
        const [, a, first, b, ...rest] = pathname.split('/')
        expect([a, b, rest.at(-1)]).toEqual(['a', 'b', 'c'])
        expect(decodeURIComponent(first ?? '')).toBe(one)
        expect(rest.slice(0, -1).map(decodeURIComponent).join('/')).toBe(several)
        expect(searchParams.get('q')).toBe(q)
      }),
      { numRuns: 3000 },
    )
    expect(built).toBeGreaterThan(100)
  })

  test('a target has at most 8000 characters', () => {
    const build = compileTarget('/x/{value}')
    expect(build({ value: 'é'.repeat(1300) })).toHaveLength(3 + 6 * 1300)
    expect(() => build({ value: 'é'.repeat(1400) })).toThrow(/longer than 8000 characters/)
  })

  test('does not read inherited members', () => {
    expect(() => compileTarget('/x/{toString}')({})).toThrow(ValueError)
  })

  test('refuses a lookup without the value, naming it', () => {
    const build = compileTarget('/x/{lookup.pull.sha}')
    expect(() => build({ lookup: { pull: null } })).toThrow(/^lookup\.pull\.sha /)
    expect(() => build({ lookup: { pull: { sha: '..' } } })).toThrow(ValueError)
  })

  test.each([
    '/x/{input.a}',
    '/x/{',
    '/x/{}',
    '/x/{a b}',
    '/x#y',
    '/x/{#y}',
    '/a b',
    '/a/../b',
    '/./{a}',
    '/a/..{?q}',
  ])('%s is not a template', template => {
    expect(() => compileTarget(template)).toThrow(SyntaxError)
  })
})
