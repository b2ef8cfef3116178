import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { connect, listTools } from '../../routes/support/mcp-tools.ts'
import type { Catalog } from '../../src/cards/catalog.ts'
import type { Caller } from '../../src/model/caller.ts'
import { parseToolSelection } from '../../src/model/tool-selection.ts'

/** Tokens of the tools that one choice of `tools` offers. */
export interface OfferedTools {
  readonly words: string
  readonly tools: number
  /** As a provider of models gets them: name, description and input schema. */
  readonly model: number
  /** The result of `tools/list`, which has titles and annotations too. */
  readonly list: number
  /** The most that `model` may be; null: no target. */
  readonly most: number | null
}

/** The choices, each with its target. That of `all` was 18,000 for 105 capabilities, and grows with their number. */
const CHOICES: readonly (readonly [string, (count: number) => number | null])[] = [
  ['search', () => 2000],
  ['all', count => Math.round((18_000 / 105) * count)],
  ['repo.*,read:pr.*,-pr.merge', () => null],
  ['read:issue.*,read:pr.*', () => null],
]

/** Counts the tools of `/mcp?tools=…`. */
export function countOffers(catalog: Catalog, caller: Caller): readonly OfferedTools[] {
  return CHOICES.map(([words, mostOf]) => {
    const tools = listTools(catalog, connect(caller, parseToolSelection(words.split(','))))
    const told = tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }))
    return {
      words,
      tools: tools.length,
      model: countTokens(JSON.stringify(told)),
      list: countTokens(JSON.stringify({ tools })),
      most: mostOf(catalog.all().length),
    }
  })
}
