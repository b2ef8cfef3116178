import type { Verdict } from '../verdict.ts'
import { meaningOfWords } from './code-grammar.ts'
import { keysOf, wordsOfCode } from './code-words.ts'
import { meaningOfErrno } from './errno.ts'
import { GRPC } from './grpc.ts'
import { meaningOfJsonRpc } from './json-rpc.ts'
import { type Meaning, mostSpecific, toDictionary } from './meaning.ts'
import {
  AWS,
  COMMON,
  GOOGLE,
  KUBERNETES,
  MEDIAWIKI,
  NPM,
  OAUTH,
  POSTGREST,
  REGISTRIES,
  SOAP,
} from './service-codes.ts'
import { meaningOfSqlState } from './sqlstate.ts'

/** Later lists win: Kubernetes' Expired is not the same as OAuth's expired_token, but a few words are shared. */
const LISTED = toDictionary([
  NPM,
  POSTGREST,
  MEDIAWIKI,
  SOAP,
  REGISTRIES,
  KUBERNETES,
  GRPC,
  COMMON,
  AWS,
  GOOGLE,
  OAUTH,
])

/** The meaning of a service's own code: a listed one, or one whose words the grammar understands. */
export function meaningOfCode(code: string): Meaning | null {
  if (/^-32\d{3}$/.test(code)) return meaningOfJsonRpc(Number(code))
  for (const key of keysOf(code)) {
    const listed = LISTED.get(key)
    if (listed) return listed
  }
  return meaningOfErrno(code) ?? meaningOfSqlState(code) ?? meaningOfWords(wordsOfCode(code))
}

/** The most specific meaning among codes: many bodies repeat the status as a code before they give the reason. */
export function meaningOfCodes(codes: readonly string[]): Meaning | null {
  return mostSpecific(codes.map(meaningOfCode))
}

/** The verdict of the most specific code; null if the codes say nothing, or only that something failed. */
export function verdictOfCodes(codes: readonly string[]): Verdict | null {
  const meaning = meaningOfCodes(codes)
  return meaning && meaning.verdict.code !== 'UNKNOWN' ? meaning.verdict : null
}
