import { foldSpelling } from './meaning.ts'

/** Cut longer codes before a pattern looks at them. */
const MAX_CODE = 200
const MAX_WORDS = 12

/**
 * The name in a code, without its namespace: `com.amazonaws#ThrottlingException` → `ThrottlingException`,
 * `urn:problem:out-of-credit` → `out-of-credit`, `https://example.com/problems/rate-limited` → `rate-limited`.
 */
export function nameOf(code: string): string {
  const path = code.slice(0, MAX_CODE).replace(/[?].*$/, '')
  return path.split(/[#:/]/).findLast(part => /[A-Za-z0-9]/.test(part)) ?? ''
}

/**
 * Splits a code into lower-case words, in any case style: `rateLimitExceeded`, `RATE_LIMIT_EXCEEDED`,
 * `rate-limit-exceeded` and `ratelimitexceeded` give `rate limit exceeded`. Drops words such as "Exception".
 */
export function wordsOfCode(code: string): string[] {
  const parts = nameOf(code).split('.')
  // EC2 puts the reason behind a dot: InvalidInstanceID.NotFound.
  const words = parts
    .slice(-2)
    .join(' ')
    .replace('OAuth', 'Oauth')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '')
    .slice(0, MAX_WORDS)
    .flatMap(apart)
  const telling = words.filter(word => !FILLERS.has(word))
  return telling.length > 0 ? telling : words
}

/** The key of a code in a closed vocabulary, with and without the suffix that languages add to the names of errors. */
export function keysOf(code: string): string[] {
  const word = foldSpelling(nameOf(code).split('.').at(-1) ?? '')
  return [...new Set([word, word.replace(/(?<=[a-z0-9]{3})(?:exception|error|fault)$/, '')])]
}

const FILLERS = new Set([
  'exception',
  'error',
  'errors',
  'err',
  'fault',
  'code',
  'e',
  'the',
  'has',
  'been',
  'is',
  'was',
  'a',
])

/** Words that services write together: `toomanyrequests`, `ratelimited`, `accessdenied`. */
const PARTS = new Set(
  `access account action active after allowed already api argument auth authenticated authorization authorized bad banned
  big body bucket busy call calls cert channel conflict connection country credential credentials credit data deadline
  denied disabled down duplicate edit email empty entity error exceeded exist exists expired failed failure field file forbidden
  client format found gateway gone group hash id in inactive incorrect insufficient internal invalid is item json key large limit limited
  limiting locked log login long malformed many max message method mismatch missing must name network no not object of only out
  over page param parameter parse password payload payment pending permission permissions permitted policy process progress
  quota rate reached read ready record refused rejected repo repository request requests required reset resource revoked role
  scope seat secret server service session sign signature size slow state storage such support supported syntax system taken
  team throttled throttling time timed timeout token tokens too type unauthorized unavailable unknown unprocessable unrecognized unsupported upload url use used user
  username valid validation value version wait with write wrong`.split(/\s+/),
)
const MAX_JOINED = 40

/** Takes a word apart if it consists of known words only; prefers few and so long ones. */
function apart(word: string): readonly string[] {
  if (PARTS.has(word) || word.length < 6 || word.length > MAX_JOINED) return [word]
  const fewest: (readonly string[] | null)[] = [[]]
  for (let end = 1; end <= word.length; end++) fewest.push(shortestSplit(word, end, fewest))
  return fewest.at(-1) ?? [word]
}

/** The split of the first `end` letters into the fewest parts; null if there is none. */
function shortestSplit(
  word: string,
  end: number,
  fewest: readonly (readonly string[] | null)[],
): readonly string[] | null {
  const splits = fewest.flatMap((before, start) => {
    const part = word.slice(start, end)
    return before && PARTS.has(part) ? [[...before, part]] : []
  })
  return splits.toSorted((a, b) => a.length - b.length)[0] ?? null
}
