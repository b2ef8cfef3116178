import type { Card } from '../model/card.ts'
import type { CardSummary, PublishedCard } from './published-card.ts'

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

/** A card as the gateway publishes it: what callers need, without how to reach the upstream. */
export function describeCard(card: Card): PublishedCard {
  return {
    ...summarizeCard(card),
    version: card.version,
    input: card.input,
    output: card.output,
    routes: card.routes.map(({ route, pool }) => ({ route, pool })),
    ...(Object.keys(card.notOffered).length > 0 ? { not_offered: card.notOffered } : {}),
    ...(card.page ? { page: card.page } : {}),
    ...(card.verify ? { verify: { capability: card.verify.capability } } : {}),
    next: card.next.map(({ capability, reason }) => ({ capability, reason })),
  }
}
