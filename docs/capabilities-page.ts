import { loadCapabilities, SHIPPED_DIRECTORIES } from '../src/cards/load.ts'
import { createAdapters } from '../src/gateway/adapters.ts'
import type { Card, JsonSchema } from '../src/model/card.ts'
import { ROUTES } from '../src/model/route.ts'

/** Lists the shipped capabilities by noun, with their input, their output and their routes. */
export function capabilitiesPage(): string {
  const cards = shippedCards()
  const nouns = Map.groupBy(cards, ({ id }) => id.split('.')[0] ?? id)
  return `<!-- Made by docs/generate.ts from capabilities/github/; do not edit. -->

# Capabilities

The ${cards.length} capabilities of the GitHub pack. For the same input, all routes of a capability return the same \`data\` and leave
the same state; \`npm run parity\` tests it.

* **effect**: \`read\` changes nothing. You may repeat \`idempotent\`, but not \`write\`.
* **routes** are in the order in which the gateway tries them. Crossed out: GitHub has no way for it; the reason stands below the table.
* **input**: members in italics are optional. \`GET /v1/capabilities/{id}\` shows the schemas.

${[...nouns].map(([noun, own]) => section(noun, own)).join('\n')}`
}

function shippedCards(): Card[] {
  const loaded = loadCapabilities({
    directories: SHIPPED_DIRECTORIES,
    adapters: createAdapters(),
    env: {},
    now: Date.now,
  })
  void loaded.close()
  return [...loaded.cards.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function section(noun: string, cards: readonly Card[]): string {
  const reasons = cards.flatMap(card =>
    Object.entries(card.notOffered).map(
      ([route, reason]) => `* \`${card.id}\`, ${route}: ${reason}`,
    ),
  )
  return `## ${noun}

| capability | does | effect | routes | input | output |
|---|---|---|---|---|---|
${cards.map(row).join('\n')}
${reasons.length > 0 ? `\nNot offered by GitHub:\n\n${reasons.join('\n')}\n` : ''}`
}

function row(card: Card): string {
  const own = card.routes.map(({ route }) => route)
  const missing = ROUTES.filter(route => !own.includes(route)).map(route => `~~${route}~~`)
  const cells = [
    `\`${card.id}\``,
    card.description,
    card.effect,
    [...own, ...missing].join(', '),
    members(card.input),
    members(card.output),
  ]
  return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function members({ properties = {}, required = [] }: JsonSchema): string {
  return Object.keys(properties as object)
    .map(name => ((required as readonly string[]).includes(name) ? `\`${name}\`` : `*${name}*`))
    .join(', ')
}
