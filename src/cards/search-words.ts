import { wordsOf as wordsIn } from '../lib/words.ts'

/** Words that people and models use for the words of ids. Each finds the others of its line. */
export const SYNONYMS = [
  'view get show read fetch retrieve inspect',
  'list find search enumerate query browse',
  'create add new open make post submit write',
  'update edit change modify patch set put rename',
  'delete remove destroy erase drop clear',
  'pr pull mr',
  'issue ticket bug',
  'repo repository project',
  'comment reply note answer',
  'merge land integrate',
  'run execution build job action',
  'check ci status test',
  'workflow pipeline action',
  'contents file blob source readme',
  'blame author annotate who',
  'review approve reject',
  'draft ready',
  'dispatch trigger start run',
  'rerun retry restart',
  'cancel stop abort',
  'dismiss done',
  'close finish done',
  'assignee owner assign',
  'release version changelog',
  'viewer me whoami user self',
  'metric series measurement',
  'label tag',
].map(line => line.split(' '))

/** Several words that are one. */
const PHRASES = [
  [/(?:pull|merge)[^a-z]?requests?/gi, 'pr'],
  [/approve[^a-z]+(?:(?:an?|the|this|my)[^a-z]+)?pr\b/gi, 'submit review pr'],
  [/who[^a-z]?am[^a-z]?i\b/gi, 'whoami'],
  [/(?:comment|remark)[^a-z]?(?:on|to|under)\b/gi, 'create comment'],
  [/push[^a-z]?files?/gi, 'create commit files'],
  [/request(?:ed)?[^a-z]?changes/gi, 'submit review'],
  [/ready[^a-z]?for[^a-z]?review|(?:to|as)[^a-z]?(?:a[^a-z]?)?draft/gi, 'update draft'],
] as const

/** `pullRequests.list_all` → prs, list, all. */
export function wordsOf(text: string): string[] {
  return wordsIn(
    PHRASES.reduce((left, [phrase, word]) => left.replaceAll(phrase, ` ${word} `), text),
  )
}

/** Plural and singular count as the same word. */
function stem(word: string): string {
  const rule = PLURALS.find(([ending]) => ending.test(word))
  return rule && word.length > 2 ? word.replace(...rule) : word
}

/** The first that fits applies. Words such as access and status have the ending, but are no plurals. */
const PLURALS: readonly (readonly [RegExp, string])[] = [
  [/(?<=.{2})ies$/, 'y'],
  [/(?<=ch|sh|x|ss|us)es$/, ''],
  [/(?<!s|u)s$/, ''],
]

const STOP_WORDS = new Set(
  'a an the this that these of to in on for from by and or with is are be it its my'.split(' '),
)

export function processTerm(word: string): string | null {
  return STOP_WORDS.has(word) ? null : stem(word)
}

export function termsOf(text: string): string[] {
  return wordsOf(text).flatMap(word => processTerm(word) ?? [])
}

/** Asks for several things: `open issues`. */
export function isPlural(text: string): boolean {
  const last = wordsOf(text).at(-1) ?? ''
  return stem(last) !== last
}

/** Synonyms count less than the words of the query. */
export function synonymsOf(own: readonly string[]): readonly string[] {
  const lines = SYNONYMS.filter(line => line.some(word => own.includes(stem(word))))
  return [...new Set(lines.flat().map(stem))].filter(word => !own.includes(word))
}
