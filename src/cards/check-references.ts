import { useOneOf } from '../lib/text.ts'
import type { KeyPath } from '../lib/yaml-source.ts'
import type { Upstream } from '../model/card.ts'
import type { Route } from '../model/route.ts'
import type { CardSource } from './schema.ts'

type Report = (path: KeyPath, message: string, fix: string) => void

/** Reports settings without effect: their author expected one. */
export function checkReferences(
  card: CardSource,
  inputs: readonly string[],
  upstream: Upstream,
  report: Report,
): void {
  checkRoutes(card, report)
  checkPage(card, inputs, report)
  checkPools(card, upstream, report)
  for (const key of ['verify', 'state', 'touches'] as const) {
    if (!card[key] || card.effect !== 'read') continue
    report([key], 'has no effect on a read', 'Remove it, or correct effect.')
  }
  if (card.page && card.list?.rank !== undefined) {
    const fix = 'Remove it: a cursor has to go on in the order of the upstream.'
    report(['list', 'rank'], 'has no effect on a paged list', fix)
  }
}

function checkRoutes({ routes, prefer, page, not_offered }: CardSource, report: Report): void {
  for (const [route, section] of Object.entries(routes)) {
    if (!prefer.includes(route as Route)) {
      const fix = `Add "${route}" to prefer, or remove the route.`
      report(['routes', route], 'is never used', fix)
    }
    if (section?.pages && !page) {
      report(['routes', route, 'pages'], 'needs page', 'Add page: { cursor: after, size: first }.')
    }
  }
  for (const route of Object.keys(not_offered ?? {})) {
    if (!routes[route as Route]) continue
    const fix = 'Remove it, or the route.'
    report(['not_offered', route], 'names a route that the card has', fix)
  }
}

function checkPage({ page }: CardSource, inputs: readonly string[], report: Report): void {
  for (const [key, name] of Object.entries(page ?? {})) {
    if (inputs.includes(name)) continue
    const fix = `Use one of ${inputs.join(', ')}.`
    report(['page', key], `names "${name}", which the input lacks`, fix)
  }
}

function checkPools({ pool, routes }: CardSource, { pools, id }: Upstream, report: Report): void {
  for (const [route, name] of Object.entries(pool ?? {})) {
    if (!routes[route as Route]) {
      report(['pool', route], 'names a route that the card lacks', 'Remove it.')
    }
    if (!pools.includes(name)) {
      const fix = useOneOf(pools, `add it to pools in upstream.yaml, as in pools: { ${name}: {} }`)
      report(['pool', route], `names "${name}", which is no pool of ${id}`, fix)
    }
  }
}
