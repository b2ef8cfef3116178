/** The words by which `q` finds requests: those of error messages, inputs and answers. Both databases index the same words. */
import { withoutInvisible } from '../../lib/invisible.ts'
import type { DetailColumns } from '../columns.ts'

export interface RequestWords {
  /** Texts of the caller and of the gateway, which every reader of the request sees. */
  readonly own: readonly string[]
  /** Texts of the answer, in which a reader may not see the texts of strangers. */
  readonly answer: readonly string[]
}

/** The rest of a longer payload has no words: the request is recorded while others wait. */
const MOST_LENGTH = 16 * 1024

const WORD = /[\p{L}\p{M}\p{N}]{1,64}/gu

export function wordsOf(text: string): string[] {
  return [...new Set(withoutInvisible(text).text.toLowerCase().match(WORD))]
}

/** Null for a request without texts, as most are unless payloads are kept. */
export function wordsOfRequest({
  error,
  input,
  data,
}: Pick<DetailColumns, 'error' | 'input' | 'data'>): RequestWords | null {
  if (error === null && input === null && data === null) return null
  const message = error === null ? '' : ((JSON.parse(error) as { message?: string }).message ?? '')
  const own = wordsOf(`${message} ${textOf(input)}`)
  const answer = wordsOf(textOf(data))
  return own.length === 0 && answer.length === 0 ? null : { own, answer }
}

const ESCAPE = /\\(?:u[\da-f]{4}|.)/gi

/** The text of a JSON value. An escape stands for no letter, but its own letter would become part of a word. */
function textOf(json: string | null): string {
  if (json === null) return ''
  const head = json.startsWith('{"truncated":true,') ? (JSON.parse(json) as Cut).head : json
  return head.slice(0, MOST_LENGTH).replace(ESCAPE, ' ')
}

/** The marker in place of a payload that was too long. */
interface Cut {
  readonly head: string
}
