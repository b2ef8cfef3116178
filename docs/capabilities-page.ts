import { loadCapabilities, SHIPPED_DIRECTORIES } from '../src/cards/load.ts'
import { createAdapters } from '../src/gateway/adapters.ts'
import type { Card, JsonSchema } from '../src/model/card.ts'
import { ROUTES } from '../src/model/route.ts'

/** Every shipped capability, by noun: what it takes, what it gives, and which routes serve it. */
export function capabilitiesPage(): string {
  const cards = shippedCards()
  const nouns = Map.groupBy(cards, ({ id }) => id.split('.')[0] ?? id)
  return `<!-- Made by docs/generate.ts from capabilities/github/; do not edit. -->

# Capabilities

The ${cards.length} capabilities of the GitHub pack. For one input, all routes of a capability give the same \`data\` and leave the
same state; \`npm run parity\` tries it.

* **effect**: \`read\` changes nothing, \`idempotent\` may be repeated, \`write\` must not be.
* **routes** in the order in which they are tried. Crossed out: GitHub has no way for it, for the reason below the table.
* **input**: members in italics may be left out. \`GET /v1/capabilities/{id}\` shows the schemas.

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
