import type { ErrorCode } from '../../../src/model/errors.ts'
import { type Verdict, verdict } from '../verdict.ts'
import { type Meaning, RANK, type RankName } from './meaning.ts'
import {
  ABSENT,
  BAD,
  BROKEN,
  CREDENTIAL,
  INPUT,
  MONEY,
  OPERATION,
  OVER,
  PAGE,
  PERMISSION,
  RATE,
  STATE,
  THING,
} from './nouns.ts'

/**
 * A small grammar for codes that no specification lists: nouns, and what became of them. It reads the words of
 * `wordsOfCode`. Every row counts that matches: the highest rank wins; among equals, the row that matches more words,
 * then the one that stands first.
 */
export function meaningOfWords(words: readonly string[]): Meaning | null {
  const text = words.join(' ')
  let best: Meaning | null = null
  for (const [rank, pattern, meaning] of GRAMMAR) {
    const match = pattern.exec(text)
    if (!match) continue
    const found = RANK[rank] + match[0].split(' ').length
    if (found > (best?.rank ?? -1)) best = { verdict: meaning, rank: found }
  }
  return best
}

const LOST_RACE = verdict('CONFLICT', { retryable: true })
/** Up to two words between the parts of a phrase: `invalid [access] token`. */
const GAP = '(?:\\w+ ){0,2}?'
const SIZE = '(?:size|length|count of bytes)'
const LARGE = '(?:too (?:large|big|long)|oversized?)'

type Source = readonly [RankName, string, ErrorCode | Verdict]

const SOURCES: readonly Source[] = [
  [
    'specific',
    `(?:${GAP}${LARGE}|max(?:imum)? ${GAP}${SIZE}|${SIZE} (?:limit )?${OVER}|${OVER} ${GAP}${SIZE})`,
    'TOO_LARGE',
  ],
  ['specific', `(?:complexity|cost|points?|error|retry) budget ${OVER}`, 'RATE_LIMIT'],
  ['specific', `throttl\\w*|slow down|flood wait|rate ?limit\\w*|enhance your calm`, 'RATE_LIMIT'],
  [
    'specific',
    `${RATE} ${RATE}? ?(?:${OVER} ?)+|${RATE} (?:\\w+ )?${OVER}|${RATE} too (?:high|fast|many)`,
    'RATE_LIMIT',
  ],
  [
    'specific',
    `(?:too many|over|exceeded|max(?:imum)?) ${GAP}${RATE}|too (?:fast|frequent\\w*|often)`,
    'RATE_LIMIT',
  ],
  ['specific', `${THING} (?:count |number )?${OVER}(?: ${OVER})?`, 'FORBIDDEN'],
  [
    'specific',
    `(?:too many|insufficient|not enough|no more|max(?:imum)?|out of) ${THING}`,
    'FORBIDDEN',
  ],
  ['specific', `no ${THING} (?:left|available|remaining)`, 'FORBIDDEN'],
  [
    'specific',
    `(?:insufficient|no|not enough|out of|low|negative) ${MONEY}|${MONEY} (?:\\w+ )?${BROKEN}`,
    'FORBIDDEN',
  ],
  [
    'specific',
    `${MONEY} (?:${OVER}|past due|ended|overdue|suspended|too low)|card declined`,
    'FORBIDDEN',
  ],
  [
    'general',
    `quota|limit ${OVER}|(?:over|exceeded) ${GAP}limit|(?:hourly|daily|monthly|usage) \\w* ?limit`,
    'RATE_LIMIT',
  ],

  ['specific', `${BAD} ${GAP}${PAGE} token|${PAGE} token ${BROKEN}`, 'VALIDATION'],
  ['specific', `${BAD} ${GAP}${CREDENTIAL}|${CREDENTIAL} (?:\\w+ )?${BROKEN}`, 'AUTH'],
  [
    'specific',
    `not (?:auth|authenticated|authed|logged in|signed in)|unauthenticated|(?:unrecognized|unknown|invalid) client|reauth\\w*`,
    'AUTH',
  ],
  ['specific', `${BAD} ${GAP}scopes?|scopes? ${BROKEN}|no scopes?`, 'AUTH'],
  ['general', `unauthori[sz]ed|authentication|auth`, 'AUTH'],

  [
    'specific',
    `${BAD} ${GAP}${PERMISSION}|not enough ${PERMISSION}|${PERMISSION} (?:\\w+ )?${BROKEN}`,
    'FORBIDDEN',
  ],
  [
    'specific',
    `not (?:authori[sz]ed|permitted|allowed|entitled|accessible)|unauthori[sz]ed \\w+`,
    'FORBIDDEN',
  ],
  [
    'specific',
    `(?:account|user|org|tenant) (?:locked|disabled|suspended|inactive|blocked|banned|deactivated)`,
    'FORBIDDEN',
  ],
  [
    'general',
    `forbidden|denied|disallowed|prohibited|restricted|blocked|banned|suspended|deactivated|disabled|archived|authorization|permissions?|privileges?|read only|inactive`,
    'FORBIDDEN',
  ],

  ['specific', `(?:\\w+ )?${ABSENT}|no such(?: \\w+)?`, 'NOT_FOUND'],
  [
    'specific',
    `(?:manifest|blob|name|resource|object|entity|item|document|page|repository|tenant) (?:unknown|missing|deleted|removed)`,
    'NOT_FOUND',
  ],
  ['general', `unknown \\w+|gone|deleted|removed`, 'NOT_FOUND'],

  [
    'specific',
    `(?:\\w+ )?already \\w+(?: \\w+)?|\\w+ (?:exists|taken|in use)|duplicated?|not (?:unique|empty)|unique\\b`,
    'CONFLICT',
  ],
  [
    'specific',
    `${STATE} (?:\\w+ )?(?:conflict|mismatch|stale|failed|failure|modified|changed|violation)`,
    'CONFLICT',
  ],
  [
    'specific',
    `(?:invalid|incorrect|wrong|illegal|bad|unexpected|inconsistent) (?:\\w+ )?state|not mergeable|out of date`,
    'CONFLICT',
  ],
  [
    'specific',
    `precondition \\w+|condition not met|failed precondition|conflict(?:ing)? \\w+|\\w+ conflict`,
    'CONFLICT',
  ],
  [
    'specific',
    `deadlock|serialization failure|^aborted$|transaction (?:cancell?ed|aborted|conflict)|concurrent (?:modification|update|write|access)|\\w+ in progress|(?:is |being )+(?:deleted|created|updated|disabled|moved|renamed|provisioned)|lock (?:timeout|wait)|(?:unable|failed|cannot|not)(?: to)?(?: \\w+)? lock`,
    LOST_RACE,
  ],
  [
    'specific',
    `^(?:(?:resource|row|record|file|state|table|database) )?locked|lock (?:held|not available)`,
    LOST_RACE,
  ],
  [
    'general',
    `conflict|\\w+ locked|not available|stale|modified|aborted|taken|in use|constraint violation|optimistic lock|expects? \\w+ but|unmerged`,
    'CONFLICT',
  ],

  [
    'specific',
    `not yet available|not (?:yet )?(?:ready|finished|complete|completed|processed)|still \\w+|^(?:in progress|pending|processing|queued)$|\\w+ pending`,
    'NOT_READY',
  ],
  [
    'specific',
    `(?:unknown|invalid|unsupported|undefined|unrecogni[sz]ed|no such) ${OPERATION}`,
    'ADAPTER_UNSUPPORTED',
  ],
  [
    'specific',
    `${OPERATION} not (?:\\w+)|not (?:implemented|supported)|unimplemented|undefined field`,
    'ADAPTER_UNSUPPORTED',
  ],
  [
    'specific',
    `(?:feature|api|endpoint|version) (?:not \\w+|unsupported|disabled|deprecated|retired)`,
    'ADAPTER_UNSUPPORTED',
  ],
  ['general', `unsupported|deprecated`, 'ADAPTER_UNSUPPORTED'],

  [
    'specific',
    `time limit ${OVER}|time ?out|timed out|deadline (?:exceeded|expired|reached)`,
    'TIMEOUT',
  ],
  [
    'specific',
    `(?:service|server|backend|temporar\\w+|currently|system) (?:\\w+ )?(?:unavailable|overloaded|busy|down)|bad gateway`,
    'SERVER',
  ],
  [
    'specific',
    `overloaded|maintenance|insufficient (?:\\w+ )?capacity|at capacity|temporar\\w+ (?:\\w+ )?(?:failure|problem)`,
    'SERVER',
  ],
  ['general', `unavailable|busy|capacity|down`, 'SERVER'],
  [
    'specific',
    `connection (?:refused|reset|closed|lost|aborted)|host (?:unreachable|unknown)|unknown host|no route to host|broken pipe|ssl handshake|network (?:unreachable|down|failure)|dns \\w+`,
    'NETWORK',
  ],

  [
    'specific',
    `(?:invalid|missing|bad|unknown|malformed|illegal|unsupported|required|unexpected|wrong) ${GAP}(?:${INPUT}|locale|language|timezone|currency|encoding)|${INPUT} (?:\\w+ )?(?:invalid|missing|required|unknown|malformed|mismatch|empty|blank)`,
    'VALIDATION',
  ],
  [
    'general',
    `invalid(?: \\w+)?|malformed(?: \\w+)?|bad(?: \\w+)?|illegal(?: \\w+)?|incorrect|validation|missing(?: \\w+)?|\\w* ?required|unprocessable|out of range|not (?:valid|acceptable|a \\w+)|pars(?:e|ing)|syntax|mismatch|blank|empty|too (?:short|small|low|high)|unacceptable|argument|parameter|(?:user )?input`,
    'VALIDATION',
  ],

  [
    'frame',
    `^(?:internal|server|unexpected|unhandled|api|fatal|failed|failure|general|generic|system|backend|service|request|upstream)\\b.*`,
    'SERVER',
  ],
  ['frame', `^(?:unknown|undefined|other|unspecified)\\b.*`, 'UNKNOWN'],
]

const GRAMMAR = SOURCES.map(
  ([rank, source, meaning]) =>
    [
      rank,
      new RegExp(`\\b(?:${source})(?!\\w)`),
      typeof meaning === 'string' ? verdict(meaning) : meaning,
    ] as const,
)
