import { type Verdict, verdict } from '../verdict.ts'
import { type Meaning, RANK } from './meaning.ts'

/** https://www.jsonrpc.org/specification#error_object */
const CODES: Readonly<Record<number, Verdict>> = {
  [-32700]: verdict('VALIDATION', { fallback: true }),
  [-32600]: verdict('VALIDATION', { fallback: true }),
  [-32601]: verdict('ADAPTER_UNSUPPORTED'),
  [-32602]: verdict('VALIDATION'),
}
/** -32603 is an internal error; -32000 to -32099 are the server's own, which each service defines otherwise. */
const OWN = { least: -32099, most: -32000, internal: -32603 } as const

export function meaningOfJsonRpc(code: number): Meaning | null {
  const known = CODES[code]
  if (known) return { verdict: known, rank: RANK.specific }
  const own = code === OWN.internal || (code >= OWN.least && code <= OWN.most)
  return own ? { verdict: verdict('SERVER'), rank: RANK.frame } : null
}
