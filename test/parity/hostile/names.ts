/** Kinds of names that callers choose, each with rules of its own. */
export type Kind = 'ref' | 'file' | 'label' | 'workflow' | 'key'

/** A name, and those that a route reaches instead if it forgets to encode, decodes twice or normalizes. */
export interface HostileName {
  readonly name: string
  readonly decoys: readonly string[]
}

/** Every service accepts these for each kind. The rest of a row are its decoys. */
const ANYWHERE: readonly (readonly string[])[] = [
  ['feature#1', 'feature'],
  ['a%2Fb', 'a/b'],
  ['x;y=1&z=2', 'x'],
  ['e\u0301t\u00e9', '\u00e9t\u00e9', 'e\u0301te\u0301'],
  ['a%23b', 'a#b', 'a'],
  ['100%', '100'],
  ['50%25', '50%'],
  ['%2e%2e'],
  ['c+d', 'c d', 'c%20d'],
  ['{owner}', 'octo-org'],
  ['@file', 'file'],
  ["it's(fine)!,=$", 'its'],
  ['$(id)`id`|<b>"q"', 'b'],
  ['ＡＢ＃１．．', 'AB#1..', 'AB#1'],
  ['🚂\u00a0', '🚂'],
]

/** Names of files and labels may hold these too, but not names of refs. */
const LOOSE: readonly (readonly string[])[] = [
  ['what?ref=x y', 'what'],
  [':owner', 'octo-org', 'owner'],
  ['a\\b', 'a/b', 'b'],
  ['*[x]~^', 'x'],
]

/** A leading dash or dot. */
const LEADING: readonly (readonly string[])[] = [
  ['--method=DELETE', 'DELETE'],
  ['..x', 'x'],
  ['...', '..'],
]

/** Each character becomes six, or twelve, once it is encoded. */
const umlauts = 'ü'.repeat(120)
const engines = '🚂'.repeat(50)

const ROWS: Readonly<Record<Kind, readonly (readonly string[])[]>> = {
  ref: [
    ...ANYWHERE,
    ['refs%2Fheads%2Fmain', 'refs/heads/main'],
    ['deep/er#/one', 'deep/er'],
    [`${umlauts}/${umlauts}`, `${umlauts}/${umlauts}x`],
  ],
  file: [
    ...ANYWHERE,
    ...LOOSE,
    ...LEADING,
    ['dir#/a b', 'dir'],
    [' lead', 'lead'],
    [Array.from({ length: 8 }, () => umlauts).join('/'), 'ü'],
  ],
  label: [...ANYWHERE, ...LOOSE, ...LEADING, ['a//b/', 'a/b', 'a'], ['http://x', 'x'], [engines]],
  workflow: [
    ...ANYWHERE,
    ...LOOSE.filter(([name]) => !name?.includes('\\')),
    ['ci.yml#', 'ci'],
    [engines],
  ],
  key: [...ANYWHERE, ...LOOSE, ...LEADING, ['..', '.'], ['a/../b', 'b'], [engines]],
}

/** Texts that are in no name. */
const NO_TEXT = ['', 'a\0b', 'a\nb', 'a\x7f', '\ud800']
/** Names that no route can send: each refuses them as VALIDATION, before it sends anything. */
const NOWHERE = [...NO_TEXT, '.', '..', '../main', 'a/..', 'a/../b', '..\\a']
/** Names that git refuses as well. */
const NO_REF = [
  'a b',
  'a:b:c',
  'a?b',
  'a*',
  'a[b',
  'a\\b',
  'a~1',
  'a^',
  'a@{1}',
  'a//b',
  'a/',
  'a.',
  'a..b',
  '-x',
  '@',
  '.x',
  'a/.x',
  'x.lock',
  'x.lock/y',
  '/a',
  '\u2028/../x',
]

export const IMPOSSIBLE: Readonly<Record<Kind, readonly string[]>> = {
  // A key stands in a query only, where a segment of dots is a text as any.
  key: NO_TEXT,
  ref: [...NOWHERE, ...NO_REF],
  file: [...NOWHERE, 'a\\..\\b', 'a//b', '/a', 'a/', '\u2028/../x'],
  label: [...NOWHERE, 'a\\..\\b', '   ', '\u2028/../x'],
  workflow: [...NOWHERE, 'ci', '../ci.yml', 'a/b.yml', 'a\\b.yml', '.yml', '-x.yml', 'a\0.yml'],
}

/** The names of a kind that do exist. The first few are the most telling. */
export function hostileNames(kind: Kind): readonly HostileName[] {
  return ROWS[kind].map(([name = '', ...decoys]) => ({
    name: named(kind, name),
    decoys: decoys.filter(decoy => exists(kind, decoy)).map(decoy => named(kind, decoy)),
  }))
}

export function fewHostileNames(kind: Kind): readonly HostileName[] {
  return hostileNames(kind).slice(0, 4)
}

function named(kind: Kind, name: string): string {
  return kind === 'workflow' ? `${name}.yml` : name
}

function exists(kind: Kind, name: string): boolean {
  if (kind === 'ref') return !NO_REF.includes(name) && !/\s|\.\./.test(name)
  if (kind === 'workflow') return !name.includes('/')
  return name !== '..'
}
