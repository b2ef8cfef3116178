import { ALREADY_EXISTS, LIMIT_REACHED } from '../failures/phrases.ts'
import { type Verdict, verdict } from '../failures/verdict.ts'

/**
 * Meanings of errors without type and code, by the usual phrases of GraphQL servers and frameworks. The
 * first match counts. Match only masked messages, in which the words that users chose are hidden.
 */
const UNTYPED: readonly (readonly [RegExp, Verdict])[] = [
  // graphql-js and its ports, about a document that does not fit the schema.
  [
    /^Cannot query field|^Unknown (argument|type|directive|fragment|field)\b|^Field '…' doesn't exist on type|^PersistedQueryNot(Found|Supported)$|\b(is|are|has been|is being) (deprecated|sunset|removed|retired|no longer supported)\b/i,
    verdict('ADAPTER_UNSUPPORTED'),
  ],
  // The caller's value for a variable is invalid.
  [/^Variable "?\$?/, verdict('VALIDATION')],
  [
    /^(Syntax Error|Parse error)\b|^Expected .{0,200} to be|is missing required arguments/i,
    verdict('VALIDATION', { fallback: true }),
  ],
  [
    /\b(complexity|depth|cost|nodes?)\b.{0,200}\bexceed|\bexceed\w*\b.{0,200}\b(complexity|depth|maximum (cost|limit of))\b|^Query (is )?too (complex|deep|large)/i,
    verdict('VALIDATION', { fallback: true }),
  ],
  [
    /^(un(authenticated|authori[sz]ed)|not (logged|signed) in|(you )?must be (logged|signed) in|you (are|need|have) (not |to be )?(logged|signed) in|authentication (is )?(required|failed)|(invalid|expired|missing|bad) (\w+ )?(token|credentials?|session)|(jwt|token|session) (is |has )?(expired|invalid)|bad credentials)\b/i,
    verdict('AUTH'),
  ],
  [
    /^(forbidden|access denied|permission denied|not (authori[sz]ed|allowed|permitted)|you (do not|don't|are not) (have|authori[sz]ed|allowed))\b/i,
    verdict('FORBIDDEN'),
  ],
  [LIMIT_REACHED, verdict('RATE_LIMIT')],
  [/^throttled$/i, verdict('RATE_LIMIT')],
  [
    /^could not (resolve to|find)\b|\b(does not|doesn't) exist\b|\b(was |were )?not found\.?$|^no such\b/i,
    verdict('NOT_FOUND'),
  ],
  [ALREADY_EXISTS, verdict('CONFLICT')],
  [
    /^(the )?(request|query|operation|execution|upstream|connection|gateway)?\s*(timed out|time-?out)\b|\b(request|query|operation|execution) (has )?timed out\b|\bdeadline exceeded\b|\brespond to your request in time\b/i,
    verdict('TIMEOUT'),
  ],
  [
    /^(an? )?(internal|unexpected|unknown|unhandled)\b.{0,200}\b(error|exception)\b|^something went wrong\b|^(internal )?server error\b|^(the )?service (is )?(temporarily )?unavailable\b|^(oops|sorry), something/i,
    verdict('SERVER'),
  ],
]

/** The meaning of messages without a code; null if none is a known phrase. */
export function meaningOfMessages(messages: readonly string[]): Verdict | null {
  const known = UNTYPED.find(([pattern]) => messages.some(message => pattern.test(message)))
  return known?.[1] ?? null
}
