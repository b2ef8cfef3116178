import { shorten } from '../lib/text.ts'
import type { Card } from '../model/card.ts'
import { GatewayError } from '../model/errors.ts'
import { CardSummary, type PublishedCard } from './published-card.ts'

/** One line of `GET /v1/capabilities`. */
export function summarizeCard({
  id,
  description,
  effect,
  routes,
  upstream,
  destructive,
  deprecated,
  scope,
}: Card): CardSummary {
  return {
    id,
    description,
    effect,
    upstream: upstream.id,
    routes: routes.map(({ route }) => route),
    ...(destructive ? { destructive } : {}),
    ...(deprecated === null ? {} : { deprecated }),
    ...(scope === null ? {} : { scope }),
  }
}

/**
 * Summarizes cards with some members only.
 * @param fields names, comma-separated; undefined for all
 * @throws {GatewayError} VALIDATION for a name that summaries do not have
 */
export function summaryWith(fields: string | undefined): (card: Card) => Partial<CardSummary> {
  if (fields === undefined) return summarizeCard
  const names = fields.split(',').map(name => name.trim())
  const known = Object.keys(CardSummary.properties)
  const unknown = names.find(name => !known.includes(name))
  if (unknown !== undefined) {
    const message = `has no member "${shorten(unknown, 50)}"; it has ${known.join(', ')}`
    throw new GatewayError('VALIDATION', `An item ${message}.`, {
      source: 'caller',
      details: { fields: [{ path: 'fields', message }] },
    })
  }
  return card => {
    const entries = Object.entries(summarizeCard(card)).filter(([name]) => names.includes(name))
    return Object.fromEntries(entries)
  }
}

/**
 * A card as the gateway publishes it: what callers need, without how to reach the upstream.
 * @param isVisible the capabilities that the caller may know of
 */
export function describeCard(card: Card, isVisible: (id: string) => boolean): PublishedCard {
  const next = card.next.filter(({ capability }) => isVisible(capability))
  const touches = card.touches?.filter(({ text }) => text.includes('*') || isVisible(text))
  return {
    ...summarizeCard(card),
    version: card.version,
    input: card.input,
    output: card.output,
    routes: card.routes.map(({ route, pool }) => ({ route, pool })),
    ...(Object.keys(card.notOffered).length > 0 ? { not_offered: card.notOffered } : {}),
    ...(card.page ? { page: card.page } : {}),
    ...(card.verify && isVisible(card.verify.capability)
      ? { verify: { capability: card.verify.capability } }
      : {}),
    ...(touches ? { touches: touches.map(({ text }) => text) } : {}),
    next: next.map(({ capability, reason }) => ({ capability, reason })),
  }
}
