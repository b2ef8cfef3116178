/** Mistakes that people make who know another language for paths, and the cure of each. */
const HABITS: readonly (readonly [RegExp, string])[] = [
  [
    /^\s*"?-?\d[\d.]*"?\s*$/,
    'Write the number without quotes; inside an expression, a number has backticks: `1`.',
  ],
  [/[‘’“”]/, "Use straight quotes: 'text'."],
  [/\.\./, 'JMESPath has no "..": name each member, as in body.items[*].id.'],
  [
    /`\s*(?!true\b|false\b|null\b)[A-Za-z]/,
    "Backticks hold JSON. Write a text in single quotes: 'text'.",
  ],
  [/(?:[=!<>]=|[<>])\s*-?\d/, 'Write a number in backticks: `1`.'],
  [/\[\s*'/, 'Write a member with an unusual name as ."name", without brackets.'],
  [/^(?!.*\blet\b).*[^=!<>]=[^=]/s, 'Write == to compare.'],
  [/"[^"]*$/, "Close the quotes. A text has single quotes: 'text'; double quotes name a member."],
]

/** How to correct an expression that does not compile; null without a known cause. */
export function cureOf(text: string): string | null {
  return HABITS.find(([pattern]) => pattern.test(text.slice(0, 2000)))?.[1] ?? null
}

/** How to correct a name that is not in scope: most are texts or constants that lack their quotes. */
export function cureOfName(name: string, roots: readonly string[]): string {
  if (/^(true|false|null)$/.test(name)) return `Write it in backticks: \`${name}\`.`
  const members = roots.filter(root => root === 'input' || root === 'body')
  const reading = members.map(root => `${root}.${name}`).join(' or ')
  const text = `A bare word is a name in JMESPath. For the text, write '${name}' in single quotes (in YAML: "'${name}'")`
  return reading === '' ? `${text}.` : `${text}; for a member, write ${reading}.`
}

/** A comparison that reads a member where its author most likely means a text or a constant. */
export interface Mistaken {
  /** As in the expression. */
  readonly written: string
  readonly cure: string
}

/** Finds comparisons with `"open"`, `true` or `null`, which JMESPath reads as names of members. */
export function mistakenConstants(text: string): Mistaken[] {
  const quoted = text.slice(0, 2000).matchAll(/[=!]=\s{0,9}"([^"\\]{0,99})"/g)
  const bare = text.slice(0, 2000).matchAll(/[=!]=\s{0,9}(true|false|null)\b/g)
  return [
    ...Array.from(quoted, ([, name = '']) => ({ written: `"${name}"`, cure: `'${name}'` })),
    ...Array.from(bare, ([, name = '']) => ({ written: name, cure: `\`${name}\`` })),
  ]
}
