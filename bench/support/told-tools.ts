import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { toolName } from '../../routes/support/mcp-tools.ts'
import { loadCapabilities } from '../../src/cards/load.ts'
import { PACKS, packDirectories } from '../../src/cards/packs.ts'
import { toldSchema } from '../../src/cards/told-schema.ts'
import { createAdapters } from '../../src/gateway/adapters.ts'
import type { Card } from '../../src/model/card.ts'

/** Tokens of the tools of one pack, as a provider of models gets them: name, description and input schema. */
export interface ToldTools {
  readonly pack: string
  readonly tools: number
  /** With the schema by which the gateway checks. */
  readonly full: number
  /** With the schema that models get. */
  readonly told: number
}

/** Counts the tools of the shipped packs. */
export async function countTools(): Promise<readonly ToldTools[]> {
  const directories = packDirectories(PACKS)
  const loaded = loadCapabilities({
    directories,
    adapters: createAdapters(),
    env: {},
    now: Date.now,
  })
  await loaded.close()
  return PACKS.map(pack => {
    const cards = [...loaded.cards.values()].filter(({ upstream }) => upstream.id === pack)
    const full = count(cards, ({ input }) => input)
    return { pack, tools: cards.length, full, told: count(cards, ({ input }) => toldSchema(input)) }
  })
}

function count(cards: readonly Card[], schemaOf: (card: Card) => object): number {
  return cards.reduce((total, card) => {
    const { id, description } = card
    const tool = { name: toolName(id), description, inputSchema: schemaOf(card) }
    return total + countTokens(JSON.stringify(tool))
  }, 0)
}
