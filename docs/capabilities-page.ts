import { loadCapabilities } from '../src/cards/load.ts'
import { DEFAULT_PACKS, PACKS, packDirectories } from '../src/cards/packs.ts'
import { createAdapters } from '../src/gateway/adapters.ts'
import type { Card, JsonSchema } from '../src/model/card.ts'
import { ROUTES } from '../src/model/route.ts'
import { ghSection } from './gh-fields.ts'

/** Lists the capabilities of each pack by noun, with their input, their output and their routes. */
export function capabilitiesPage(): string {
  const packs = PACKS.map(name => ({ name, cards: cardsOf(name) }))
  return `<!-- Made by docs/generate.ts from capabilities/; do not edit. -->

# Capabilities

A pack is a service with its capabilities. The setting [\`packs\`](settings.md) chooses which ones the gateway loads.

${packs.map(summary).join('\n')}

For the same input, all routes of a capability return the same \`data\` and leave the same state. \`npm run parity\` tests this for the
pack \`github\`, with the sandbox; the tests in \`test/packs/\` do so for the others, with real servers.

* **effect**: \`read\` changes nothing. You may repeat \`idempotent\`, but not \`write\`.
* **routes** are in the order in which the gateway tries them. Crossed out: the service has no way for it; the reason stands below the table.
* **input**: members in italics are optional. \`GET /v1/capabilities/{id}\` shows the schemas.

${packs.map(({ name, cards }) => packSection(name, cards)).join('\n')}`
}

function summary({ name, cards }: { readonly name: string; readonly cards: readonly Card[] }) {
  const isDefault = DEFAULT_PACKS.includes(name) ? '; loaded unless you choose others' : ''
  const { description } = cards[0]?.upstream ?? {}
  return `* [\`${name}\`](#pack-${name}): ${cards.length} capabilities of ${description?.replace(/\.$/, '')}${isDefault}.`
}

function packSection(name: string, cards: readonly Card[]): string {
  const nouns = [...Map.groupBy(cards, ({ id }) => id.split('.')[0] ?? id)]
  const heading = (noun: string) => (nouns.length > 1 ? `### ${noun}\n\n` : '')
  const tables = nouns.map(([noun, own]) => heading(noun) + table(own))
  const sections = name === 'github' ? [...tables, ghSection()] : tables
  return `## Pack ${name}\n\n${sections.join('\n')}`
}

export function cardsOf(pack: string): Card[] {
  const loaded = loadCapabilities({
    directories: packDirectories([pack]),
    adapters: createAdapters(),
    env: {},
    now: Date.now,
  })
  void loaded.close()
  return [...loaded.cards.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function table(cards: readonly Card[]): string {
  const reasons = cards.flatMap(card =>
    Object.entries(card.notOffered).map(
      ([route, reason]) => `* \`${card.id}\`, ${route}: ${reason}`,
    ),
  )
  return `| capability | does | effect | routes | input | output |
|---|---|---|---|---|---|
${cards.map(row).join('\n')}
${reasons.length > 0 ? `\nNot offered:\n\n${reasons.join('\n')}\n` : ''}`
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
