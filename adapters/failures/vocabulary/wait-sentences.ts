import { type Clocks, ofUnits, waitOfValue } from './wait-values.ts'

/** Cut longer sentences before a pattern looks at them. */
const MAX_SENTENCE = 2000

const NUMBER = '\\d{1,12}(?:\\.\\d{1,6})?'
const UNIT = '(?:ms|msecs?|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)'
const DURATION = `${NUMBER} ?${UNIT}(?:(?:,| and|, and)? ?${NUMBER} ?${UNIT}){0,3}`
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
const HTTP_DATE = `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \\d\\d ${MONTH} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT`
const ISO_DATE =
  '\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?(?:Z| ?UTC| ?GMT| ?[+-]\\d\\d:?\\d\\d)?'
/** Only after one of these words is a time a wait: "100 requests in 60 seconds" is a limit. */
const CUE =
  '(?:again|retr(?:y|ied|yable|ying)|wait(?:ing)?|resets?|available|come back|back ?off|resumes?|unlock(?:ed|s)?|lifted|refill(?:ed|s)?|(?:blocked|locked|limited|suspended|banned))'

/** A wait that is over: `Wait completed after 3 minutes`, `gave up retrying after 60 s`. */
const OVER_BEFORE = '(?<!(?:gave up|timed out|timeout|failed|stopped|done|finished|after) )'
const GAP = '(?:(?!\\b(?:complet|finish|elaps|fail|gave|timed|ended|took|expired))[^.;!?])'

const AFTER_CUE = new RegExp(`${OVER_BEFORE}\\b${CUE}\\b${GAP}{0,40}?\\b(${DURATION})(?!\\w)`, 'i')
const UNTIL = new RegExp(`\\b${CUE}\\b[^;!?]{0,40}?\\b(${ISO_DATE}|${HTTP_DATE})`, 'i')
/** Without a unit it is a number of seconds, but only right behind these words. */
const BARE = new RegExp(
  `\\bretry(?:ing)?[ -](?:after|in)[ :=]{1,3}(${NUMBER})(?=$|[.,;)\\s])(?! ?[a-z])`,
  'i',
)

/** The wait in a sentence: "try again in 3593 seconds", "wait 5 minutes", "until 2026-11-29T10:00:00Z"; null if it names none. */
export function waitOfSentence(sentence: string, clocks: Clocks): number | null {
  const text = sentence.slice(0, MAX_SENTENCE)
  const until = UNTIL.exec(text)?.[1]
  if (until !== undefined) return waitOfValue(until, 'date', clocks)
  const duration = AFTER_CUE.exec(text)?.[1]
  if (duration !== undefined) return ofUnits(duration)
  const bare = BARE.exec(text)?.[1]
  return bare === undefined ? null : waitOfValue(Number(bare), null, clocks)
}
