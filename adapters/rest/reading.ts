import type { SectionCompiler } from '../../src/model/adapter.ts'
import type { HttpRequest } from '../http/wire/client.ts'
import { collectingOf } from './formats.ts'
import type { RestCardSection } from './schema.ts'

/** The answer that the request asks the client for. Reports keys that the card's `parse` does not use. */
export function readingOf(
  card: RestCardSection,
  compiler: SectionCompiler,
): Pick<HttpRequest, 'binary' | 'collecting'> {
  const { parse = 'json' } = card
  for (const key of ['csv', 'xml', 'sse'] as const) {
    if (card[key] === undefined || parse === key) continue
    compiler.problem([key], `has no effect with parse: ${parse}`, `Write parse: ${key}.`)
  }
  const collecting = collectingOf(card)
  return { binary: parse === 'binary', ...(collecting ? { collecting } : {}) }
}
