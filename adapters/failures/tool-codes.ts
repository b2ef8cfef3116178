import type { ErrorCode } from '../../src/model/errors.ts'
import { meaningOf, normalize } from './machine-codes.ts'
import { type Verdict, verdict } from './verdict.ts'

/**
 * Parts of codes and their meanings. Cloud tools print thousands of codes that combine a few words, such
 * as `InvalidParameterCombination` or `LinkedAuthorizationFailed`. The first match counts.
 */
const PARTS: readonly (readonly [RegExp, ErrorCode])[] = [
  [/throttl|toomanyrequests|ratelimit|requestlimit|throughputexceeded|slowdown/, 'RATE_LIMIT'],
  [/unauthori[sz]edoperation|authori[sz]ationfailed|notauthori[sz]ed|accessdenied/, 'FORBIDDEN'],
  [/forbidden|permission|privilege|disallowed|optinrequired|notallowedby/, 'FORBIDDEN'],
  [/unauthori[sz]ed|unauthenticated|authentication|authfailure|credential|signature/, 'AUTH'],
  [
    /(?:expired|invalid)\w{0,40}token|token\w{0,40}(?:expired|invalid)|clienttokenid|accesskeyid/,
    'AUTH',
  ],
  [/toolarge|toobig|sizeexceeded/, 'TOO_LARGE'],
  [/alreadyexist|alreadyowned|alreadytaken|notavailable|duplicate|inuse|notempty/, 'CONFLICT'],
  [/conflict|concurrent|conditionalcheck|precondition|etagmismatch|^expired$/, 'CONFLICT'],
  [/locked|incorrectstate|invalidstate|dependencyviolation|modified/, 'CONFLICT'],
  [/notfound|nosuch|doesnotexist|notexist/, 'NOT_FOUND'],
  [/undefinedfield|(?:unknown|invalid)(?:operation|action)|unimplemented/, 'ADAPTER_UNSUPPORTED'],
  [/timeout|timedout|deadlineexceeded/, 'TIMEOUT'],
  [/internal|unavailable|servererror|busy|overloaded|capacity/, 'SERVER'],
  [
    /invalid|validation|malformed|missing|badrequest|argument|parameter|unsupported|notacceptable/,
    'VALIDATION',
  ],
]

/** The meaning of the first machine code that is known or contains a known part. */
export function meaningOfToolCodes(codes: readonly string[]): Verdict | null {
  for (const code of codes) {
    const meaning = meaningOf(code) ?? meaningOfParts(normalize(code))
    if (meaning) return meaning
  }
  return null
}

function meaningOfParts(name: string): Verdict | null {
  const match = PARTS.find(([part]) => part.test(name))
  return match ? verdict(match[1]) : null
}
