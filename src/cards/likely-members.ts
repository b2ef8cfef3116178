import { editDistance, isOneSlip } from '../lib/edit-distance.ts'
import { wordsOf } from '../lib/words.ts'

/** Words that callers use for each other in the names of members. */
const SYNONYMS = [
  'name repo repository project package',
  'owner org organization organisation user login account username',
  'number id no num',
  'pr pull request mr merge',
  'first limit perpage pagesize size count max top',
  'after cursor page token offset',
  'body text content comment message description markdown',
  'title subject headline summary name',
  'head branch source from',
  'base target into to',
  'ref branch sha commit tag revision',
  'state status',
  'path file filename',
  'query q search text expression expr',
  'direction order sortorder',
  'sort orderby sortby',
  'key field member',
  // The parts of a call.
  'input arguments argument args params parameters',
  'capability tool function method name id',
].map(line => new Set(line.split(' ')))

/** Longer names are no slips, and comparing them takes long. */
const LONGEST_NAME = 64
const MOST_LIKELY = 3
/** Below it, two names are alike by chance. */
const LEAST_LIKENESS = 0.4
const SYNONYM = 0.8
const BEGINNING = 0.8
/** A member that is required and missing is likelier to be meant than one that may be left out. */
const MISSING = 0.1

export interface KnownMembers {
  readonly names: readonly string[]
  readonly required: readonly string[]
  /** The names that the input has already. */
  readonly given: readonly string[]
  /** The upstream's names of members: `body` → `text`. */
  readonly upstreamNames: ReadonlyMap<string, string>
}

/** The members that somebody may have meant by an unknown name, the likeliest only. */
export function likelyMembers(unknown: string, known: KnownMembers): readonly string[] {
  if (unknown.length > LONGEST_NAME) return []
  const names = known.names.filter(name => !known.given.includes(name))
  const own = known.upstreamNames.get(unknown)
  if (own !== undefined && names.includes(own)) return [own]
  const scores = names.map(name => ({ name, score: scoreOf(unknown, name, known) }))
  const best = Math.max(LEAST_LIKENESS, ...scores.map(({ score }) => score))
  return scores
    .filter(({ score }) => score >= best)
    .slice(0, MOST_LIKELY)
    .map(({ name }) => name)
}

function scoreOf(unknown: string, name: string, { required }: KnownMembers): number {
  const score = Math.max(
    likenessOfWord(plain(unknown), plain(name)),
    likenessOfWords(wordsOf(unknown), wordsOf(name)),
    likeness(unknown, name),
    required.includes(name) && begins(wordsOf(unknown), wordsOf(name)) ? BEGINNING : 0,
  )
  return score >= LEAST_LIKENESS && required.includes(name) ? score + MISSING : score
}

/** `headRefName` says more about `head`, as services and other capabilities do. */
function begins(words: readonly string[], beginning: readonly string[]): boolean {
  return words.length > beginning.length && beginning.every((word, index) => word === words[index])
}

/** The share of words that two names have in common. */
function likenessOfWords(words: readonly string[], others: readonly string[]): number {
  const shared = words.map(word => Math.max(0, ...others.map(other => likenessOfWord(word, other))))
  return shared.reduce((sum, one) => sum + one, 0) / Math.max(words.length, others.length, 1)
}

function likenessOfWord(word: string, other: string): number {
  if (stem(word) === stem(other)) return 1
  return SYNONYMS.some(line => line.has(word) && line.has(other)) ? SYNONYM : 0
}

function stem(word: string): string {
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word
}

/** The likeness of a misspelling. `issue_number`, `issueNumber` and `issue-number` are the same. */
function likeness(unknown: string, name: string): number {
  const [one, other] = [plain(unknown), plain(name)]
  const distance = isOneSlip(one, other) ? 1 : editDistance(one, other)
  const length = Math.max(one.length, other.length, 1)
  return distance <= (length + 1) / 3 ? 1 - distance / length : 0
}

function plain(name: string): string {
  return wordsOf(name).join('')
}
