import { parseJson } from '../../../src/lib/exact-json.ts'
import { isTooDeep } from '../../../src/lib/nesting.ts'

/** The value of a JSON text, or whether the text was cut short when it is not valid JSON. */
export type JsonText =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly cutShort: boolean }

export function readJson(text: string): JsonText {
  try {
    if (isTooDeep(text)) return { ok: false, cutShort: false }
    return { ok: true, value: parseJson(text) }
  } catch (error) {
    return { ok: false, cutShort: isCutShort((error as Error).message, text.length) }
  }
}

/** Recognizes V8's messages for a JSON text that stops too early or breaks at its very end. */
export function isCutShort(message: string, length = Number.POSITIVE_INFINITY): boolean {
  if (/^(Unexpected end of JSON input|Unterminated string in JSON)/.test(message)) return true
  const position = /in JSON at position (\d+)/.exec(message)?.[1]
  return position !== undefined && Number(position) >= length
}
