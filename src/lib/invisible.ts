/**
 * The characters that a reader of a page does not see but a model does: tags, zero-width characters, bidirectional controls,
 * fillers and variation selectors. A text keeps those that its script or an emoji needs.
 */

/** Finds texts that may have one. Most have none, and this costs them one scan. The pairs stand for what is above U+FFFF. */
const SUSPECT = new RegExp(
  [
    '[\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e]',
    '[\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb]',
    '[\\ud82f\\ud834\\udb40-\\udb43][\\udc00-\\udfff]',
  ].join('|'),
)

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu

/** The tags of the flags of England, Scotland and Wales: the only emoji with tags. They follow a black flag. */
const FLAGS = ['gbeng', 'gbsct', 'gbwls'].map(name =>
  String.fromCodePoint(...Array.from(name, letter => 0xe0000 + letter.charCodeAt(0)), 0xe007f),
)
const BLACK_FLAG = '\u{1f3f4}'

/** Scripts whose spelling uses joiners, such as Persian and those of India. */
const JOINING = new RegExp(
  `[${[
    'Arab Syrc Nkoo Mong Mand Mani Phlp Rohg Adlm',
    'Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Newa Gran Tirh Sidd Modi',
    'Khmr Mymr Tibt Bali Java Sund Cham Lana',
  ]
    .flatMap(line => line.split(' '))
    .map(script => `\\p{Script_Extensions=${script}}`)
    .join('')}]`,
  'u',
)

/** For each character that has a proper use, whether it stands in one. `before` is the character that it follows. */
const PROPER: Readonly<Record<string, (before: string, after: string) => boolean>> = {
  // A byte order mark.
  '\ufeff': before => before === '',
  '\u200c': before => JOINING.test(before),
  '\u200d': (before, after) => JOINING.test(before) || joinsEmoji(before, after),
  '\u034f': before => /\p{Mark}/u.test(before),
  '\u115f': (_, after) => /[\u1160-\u11a7]/.test(after),
  '\u1160': before => /[\u1100-\u115f]/.test(before),
  '\ufe0e': before => /\p{Emoji}/u.test(before),
  '\ufe0f': before => /\p{Emoji}/u.test(before),
}

function joinsEmoji(before: string, after: string): boolean {
  return (
    /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\u{e007f}]/u.test(before) &&
    /\p{Extended_Pictographic}/u.test(after)
  )
}

/** Removes them, and counts them. Linear in the length of the text. */
export function withoutInvisible(text: string): {
  readonly text: string
  readonly removed: number
} {
  if (!SUSPECT.test(text)) return { text, removed: 0 }
  const kept: string[] = []
  let end = 0
  let removed = 0
  let before = ''
  for (const { 0: character, index } of text.matchAll(INVISIBLE)) {
    if (index < end) continue
    if (index > end) before = characterBefore(text, index)
    const proper = properAt(text, index, character, before)
    kept.push(text.slice(end, index), proper)
    end = index + (proper.length || character.length)
    if (proper === '') removed += 1
    else before = characterBefore(proper, proper.length)
  }
  if (removed === 0) return { text, removed }
  kept.push(text.slice(end))
  return { text: kept.join(''), removed }
}

export function countInvisible(text: string): number {
  return withoutInvisible(text).removed
}

/** The character, or the whole tags of a flag, if they stand there properly; else nothing. */
function properAt(text: string, index: number, character: string, before: string): string {
  const flag = before === BLACK_FLAG && FLAGS.find(tags => text.startsWith(tags, index))
  if (flag) return flag
  const after = String.fromCodePoint(text.codePointAt(index + character.length) ?? 0)
  return isProper(character, before, after) ? character : ''
}

/** Ranges of selectors, and what they may follow. */
const SELECTORS = [
  { from: 0x180b, to: 0x180f, follow: /\p{Script=Mongolian}/u },
  { from: 0xfe00, to: 0xfe0d, follow: /[\p{Sm}\p{Script=Han}\p{Script=Myanmar}]/u },
  { from: 0xe0100, to: 0xe01ef, follow: /\p{Unified_Ideograph}/u },
]

function isProper(character: string, before: string, after: string): boolean {
  const own = PROPER[character]
  if (own) return own(before, after)
  const code = character.codePointAt(0) ?? 0
  return SELECTORS.some(({ from, to, follow }) => code >= from && code <= to && follow.test(before))
}

function characterBefore(text: string, index: number): string {
  const unit = text.charCodeAt(index - 1)
  const isSecond = unit >= 0xdc00 && unit <= 0xdfff && index >= 2
  return String.fromCodePoint(text.codePointAt(isSecond ? index - 2 : index - 1) ?? 0)
}
