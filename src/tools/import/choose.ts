import { ImportError, type Offer } from './offer.ts'

/** More than this is not written without being asked for. */
export const MOST_UNASKED = 50

/** One operation under the id that its capability gets. */
export interface Named {
  readonly id: string
  readonly offer: Offer
}

/**
 * Gives each operation an id of its own. One that is taken by a capability from elsewhere is put under
 * the name of the upstream; of two of the same document the second is named after its path.
 */
export function nameOffers(
  offers: readonly Offer[],
  upstream: string,
  takenElsewhere: ReadonlySet<string>,
): Named[] {
  const given = new Set<string>()
  const prefix = upstream.replaceAll('-', '_')
  return offers.map(offer => {
    const own = [offer.id, offer.otherId].flatMap(id =>
      takenElsewhere.has(id) ? [`${prefix}.${id}`] : [id],
    )
    let id = own.find(candidate => !given.has(candidate))
    for (let n = 2; id === undefined; n++) {
      const numbered = `${own[0]}_${n}`
      if (!given.has(numbered)) id = numbered
    }
    given.add(id)
    return { id, offer }
  })
}

/** Those that the patterns name; without patterns all, if they are not too many. */
export function choose(
  all: readonly Named[],
  patterns: readonly string[],
  isDry: boolean,
): Named[] {
  if (patterns.length === 0) {
    if (all.length <= MOST_UNASKED || isDry) return [...all]
    throw new ImportError(
      `the document has ${all.length} operations. Name those that you want, such as --only '${all[0]?.offer.label}' ` +
        `or --only '*' for all; --dry-run lists them`,
    )
  }
  const chosen = new Set<Named>()
  for (const pattern of patterns) {
    const found = all.filter(named => matches(named, pattern))
    if (found.length === 0) {
      throw new ImportError(
        `--only '${pattern}' names none of the ${all.length} operations; --dry-run lists them without it`,
      )
    }
    for (const named of found) chosen.add(named)
  }
  return all.filter(named => chosen.has(named))
}

/** By the label, the path alone, the operationId, or the id of the capability. `*` stands for anything. */
function matches({ id, offer }: Named, pattern: string): boolean {
  const literals = pattern
    .trim()
    .split('*')
    .map(part => RegExp.escape(part))
  const expression = new RegExp(`^${literals.join('.*')}$`, 'i')
  const path = offer.label.slice(offer.label.indexOf(' ') + 1)
  return [offer.label, path, offer.name ?? '', id].some(text => expression.test(text))
}
