import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isUsualAddress, isUsualTime } from '../../src/cards/usual-formats.ts'

type Judge = (text: string) => boolean

const library = {
  time: (addFormats.default.get('date-time') as { readonly validate: Judge }).validate,
  address: addFormats.default.get('uri') as Judge,
}

test.each([
  '2026-01-26T19:01:12Z',
  '2026-02-28T00:00:00.123456Z',
  '2026-04-30T23:59:59+05:30',
  '2026-12-31T23:59:59-00:00',
])('%s is a usual time', text => {
  expect(isUsualTime(text)).toBe(true)
})

test.each([
  'https://github.com/octo-org/hello-world/issues/1',
  'http://example.org',
  "https://a.example/~me/a_b-c.d;e=f,(g)'!$&*+:@//x?q=1&r=/?",
])('%s is a usual address', text => {
  expect(isUsualAddress(text)).toBe(true)
})

/** Texts that are nearly usual: each part may be just outside its range. */
const nearTimes = fc
  .tuple(
    fc.constantFrom('2026', '2024', '20261', '0000'),
    fc.integer({ min: 0, max: 13 }),
    fc.integer({ min: 0, max: 32 }),
    fc.constantFrom('T', 't', ' ', ''),
    fc.integer({ min: 0, max: 25 }),
    fc.integer({ min: 0, max: 61 }),
    fc.integer({ min: 0, max: 61 }),
    fc.constantFrom('', '.1', '.', '.123456789', ',1'),
    fc.constantFrom('Z', 'z', '', '+00:00', '-23:59', '+24:00', '+01:60', '+0100', '+01', 'Z\n'),
  )
  .map(([year, month, day, between, hour, minute, second, fraction, zone]) => {
    const two = (value: number) => String(value).padStart(2, '0')
    const clock = [hour, minute, second].map(two).join(':')
    return `${year}-${two(month)}-${two(day)}${between}${clock}${fraction}${zone}`
  })

test('every usual time is one for the library', () => {
  const strays = fc.sample(nearTimes, 2000).filter(text => isUsualTime(text) && !library.time(text))
  expect(strays).toEqual([])
})

const nearAddresses = fc
  .tuple(
    fc.constantFrom('http://', 'https://', 'HTTP://', 'ftp://', 'http:/', '', 'https:///'),
    fc.string({
      unit: fc.constantFrom(...Array.from('aZ0.-_%:@[]/?# \\\n'), 'é', '%41'),
      maxLength: 12,
    }),
    fc.string({
      unit: fc.constantFrom(...Array.from('/aZ0?&=~!$\'()*+,;:@_.-%#^|<>" \n'), 'é'),
      maxLength: 20,
    }),
  )
  .map(parts => parts.join(''))

test('every usual address is one for the library', () => {
  const strays = fc
    .sample(nearAddresses, 2000)
    .filter(text => isUsualAddress(text) && !library.address(text))
  expect(strays).toEqual([])
})
