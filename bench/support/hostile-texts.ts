/** Units that are the worst text of some pattern or parser when they are repeated. */
const UNITS = [
  ...Array.from('"\\ \n\t`0.,-_/:;=<(&é😀\u0301'),
  "'a ",
  'a.',
  'a,',
  'a/',
  'a-',
  'a b',
  '0.',
  '1e',
  '\\"',
  'eyJaaaaaaaa-',
  '-----BEGIN ',
  'bearer ',
  'ghp_a',
  'a://',
  'a@a.',
  '../',
  '%2e',
  '%',
  '{{',
  '{a}',
  '#1 (',
  'T00:',
]

/** Texts of that many characters, by the unit that they repeat. */
export function hostileTexts(size: number): Readonly<Record<string, string>> {
  return Object.fromEntries(UNITS.map(unit => [JSON.stringify(unit), repeated(unit, size)]))
}

export function repeated(unit: string, size: number): string {
  return unit.repeat(Math.ceil(size / unit.length)).slice(0, size)
}

/** JSON that costs more than its bytes suggest, by what it consists of. */
export function hostileJson(size: number): Readonly<Record<string, string>> {
  const many = (entry: (at: number) => [string, unknown]) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: size / 10 }, (_, at) => entry(at))))
  return {
    'unknown members': many(at => [`m${at}`, 1]),
    'a long member': JSON.stringify({ [repeated('m', size)]: 1 }),
    'deep lists': repeated('[', size) + ']'.repeat(size),
    'deep objects': `${'{"a":'.repeat(size / 5)}1${'}'.repeat(size / 5)}`,
    'many lists': `{"a":[${'[],'.repeat(size / 3)}[]]}`,
    digits: `{"number":${'9'.repeat(size)}}`,
    zeros: `{"number":1${'0'.repeat(size)}1}`,
    fractions: `{"number":[${'0.1,'.repeat(size / 4)}1]}`,
    'long fractions': `{"number":[${`0.${'1'.repeat(18)},`.repeat(size / 21)}1]}`,
    'no JSON': repeated('x', size),
  }
}
