import type { NeedsSource } from '../credentials/schema.ts'
import type { KeyPath } from '../lib/yaml-source.ts'
import type { Needs, Scheme, Schemes } from '../model/credential.ts'

type Report = (path: KeyPath, message: string, fix: string) => void

/** Compiles `needs`: one scheme, several together, or alternatives. */
export function compileNeeds(
  source: NeedsSource,
  schemes: Schemes,
  path: KeyPath,
  report: Report,
): Needs {
  const isAny = typeof source === 'object' && 'any' in source
  const needs = (isAny ? source.any : [source]).map(one => [one].flat())
  for (const name of new Set(needs.flat())) {
    if (Object.hasOwn(schemes, name)) continue
    const known = Object.keys(schemes).join(', ')
    const fix = known === '' ? 'Declare it under schemes in upstream.yaml.' : `Use one of ${known}.`
    report(path, `names "${name}", which is no scheme of the upstream`, fix)
  }
  for (const names of needs) {
    const place = samePlace(names, schemes)
    if (place === null) continue
    const fix = 'For alternatives write any: [first, second].'
    report(path, `puts two secrets into ${place}`, fix)
  }
  return needs
}

/** The place that two of these schemes share; null when each has its own. */
export function samePlace(names: readonly string[], schemes: Schemes): string | null {
  const places = names.flatMap(name => placeOf(schemes[name]) ?? [])
  return places.find((place, index) => places.indexOf(place) < index) ?? null
}

/** In words; null for a scheme without a place of its own. */
function placeOf(scheme: Scheme | undefined): string | null {
  switch (scheme?.type) {
    case 'header':
      return `the header ${scheme.name.toLowerCase()}`
    case 'query':
    case 'cookie':
      return `the ${scheme.type} ${scheme.name}`
    case 'basic':
    case 'bearer':
      return 'the header authorization'
    default:
      return null
  }
}
