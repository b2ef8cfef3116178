import type { ErrorCode } from '../../../src/model/errors.ts'
import { type Verdict, verdict } from '../verdict.ts'
import { type Meaning, RANK } from './meaning.ts'

const retryable = (code: ErrorCode) => verdict(code, { retryable: true })

/**
 * Classes of SQLSTATE, and the conditions that differ from their class: ISO/IEC 9075,
 * https://www.postgresql.org/docs/current/errcodes-appendix.html.
 */
const CLASSES: Readonly<Record<string, Verdict>> = {
  '08': verdict('NETWORK'),
  '0A': verdict('ADAPTER_UNSUPPORTED'),
  '0L': verdict('FORBIDDEN'),
  '0P': verdict('FORBIDDEN'),
  21: verdict('VALIDATION'),
  22: verdict('VALIDATION'),
  23: verdict('VALIDATION'),
  24: verdict('CONFLICT'),
  25: verdict('CONFLICT'),
  28: verdict('AUTH'),
  '2B': verdict('CONFLICT'),
  '3D': verdict('NOT_FOUND'),
  '3F': verdict('NOT_FOUND'),
  40: retryable('CONFLICT'),
  42: verdict('VALIDATION'),
  44: verdict('VALIDATION'),
  53: verdict('SERVER'),
  54: verdict('TOO_LARGE'),
  55: verdict('CONFLICT'),
  57: verdict('SERVER'),
  58: verdict('SERVER'),
  72: retryable('CONFLICT'),
  F0: verdict('SERVER'),
  XX: verdict('SERVER'),
}

const CONDITIONS: Readonly<Record<string, Verdict>> = {
  '08001': verdict('NETWORK', { fallback: false, sharedFate: 'host', writeOutcome: 'not_applied' }),
  // A row exists, or other rows need this one.
  23503: verdict('CONFLICT'),
  23505: verdict('CONFLICT'),
  '23P01': verdict('CONFLICT'),
  // A replica: another server may take the write.
  25006: verdict('ADAPTER_UNSUPPORTED'),
  42501: verdict('FORBIDDEN'),
  '42P01': verdict('NOT_FOUND'),
  '42704': verdict('NOT_FOUND'),
  '42883': verdict('NOT_FOUND'),
  '42P04': verdict('CONFLICT'),
  '42P06': verdict('CONFLICT'),
  '42P07': verdict('CONFLICT'),
  42710: verdict('CONFLICT'),
  '55P03': retryable('CONFLICT'),
  55006: retryable('CONFLICT'),
  57014: verdict('TIMEOUT'),
  '25P03': verdict('TIMEOUT'),
}

/** Errors of MySQL whose state says less than the number, or nothing: https://dev.mysql.com/doc/mysql-errors/8.4/en/client-error-reference.html */
const MYSQL: Readonly<Record<string, string>> = {
  // The server cannot be reached, or its name is unknown.
  2002: '08001',
  2003: '08001',
  2005: '08001',
  // The connection broke while a statement ran.
  2006: '08007',
  2013: '08007',
  1040: '53300',
  1045: '28000',
  1062: '23505',
  1205: '55P03',
  1213: '40001',
}

/** A bare number of five digits may be a service's own code; only the name tells that it is a state. */
const NAMED = /^SQLSTATE ([0-9A-Z]{5})$/
const WITH_LETTER = /^(?=\d*[A-Z])(?=.*\d)[0-9A-Z]{5}$/

/** The meaning of `SQLSTATE 40001`, or of five characters that can only be a state, such as `42P01`. */
export function meaningOfSqlState(code: string): Meaning | null {
  const state = NAMED.exec(code)?.[1] ?? (WITH_LETTER.test(code) ? code : null)
  return state === null ? null : meaningOfState(state)
}

const PRINTED: readonly RegExp[] = [
  /\bSQLSTATE(?:[ :=[]{1,3}|: )(?<state>[0-9A-Z]{5})\b/g,
  // psql with VERBOSITY=verbose
  /\b(?:ERROR|FATAL|PANIC): {1,2}(?<state>[0-9A-Z]{5}): /g,
  // mysql and mariadb
  /\bERROR (?<number>\d{4}) \((?<state>[0-9A-Z]{5})\)/g,
]

/** The states in a text that names them as such, in the form `SQLSTATE 23505`. */
export function sqlStatesIn(text: string): string[] {
  return PRINTED.flatMap(pattern =>
    [...text.matchAll(pattern)].map(({ groups = {} }) => {
      const { number = '', state = '' } = groups
      return `SQLSTATE ${MYSQL[number] ?? state}`
    }),
  )
}

function meaningOfState(state: string): Meaning | null {
  const condition = CONDITIONS[state]
  if (condition) return { verdict: condition, rank: RANK.exact }
  const known = CLASSES[state.slice(0, 2)]
  return known
    ? { verdict: known, rank: state.startsWith('XX') ? RANK.frame : RANK.specific }
    : null
}
