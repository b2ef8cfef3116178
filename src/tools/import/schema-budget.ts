import type { JsonSchema } from '../../model/card.ts'
import { toYaml } from './yaml.ts'

/** The characters that the schemas of an operation may still take in one half of its card. */
export interface Budget {
  left: number
}

/** A card has an input and an output of at most this size, and stays below 64 kB with its other keys. */
const MAX_CHARACTERS = 28_000
/** Larger schemas do not fit anyway; to build them whole would take minutes. */
const MAX_PARTS = 3000
/** Levels of objects and lists, from all to the top alone. */
const DEPTHS = [30, 12, 9, 7, 6, 5, 4, 3, 2, 1] as const
const MOST_NAMES = 12

export function newBudget(): Budget {
  return { left: MAX_CHARACTERS }
}

/** The limits of one try to build a schema. */
export interface Limits {
  readonly depth: number
  /** Counts one more part. */
  spend(): void
  /** Remembers the name of a part that is left open because it lies too deep. */
  leaveOpen(name: string): void
}

class TooManyParts extends Error {}

/**
 * Builds a schema with as many levels as fit into the budget, and takes its size from there. Notes the
 * names of the parts below, which allow any value.
 */
export function buildWithin(
  budget: Budget,
  notes: Set<string>,
  build: (limits: Limits) => JsonSchema,
): JsonSchema {
  for (const depth of DEPTHS) {
    const open = new Set<string>()
    const schema = tryToBuild(depth, open, build)
    const fitting = schema && [schema, withoutTexts(schema)].find(one => sizeOf(one) <= budget.left)
    // Names and types say more than descriptions, but not more than the inner levels.
    if (!fitting || (fitting !== schema && depth > 3)) continue
    budget.left -= sizeOf(fitting)
    if (fitting !== schema)
      notes.add('The schema lacks its descriptions, for which it is too large.')
    noteOpen(open, notes)
    return fitting
  }
  notes.add('One schema allows any value, because it is too large for a card.')
  return {}
}

function tryToBuild(
  depth: number,
  open: Set<string>,
  build: (limits: Limits) => JsonSchema,
): JsonSchema | null {
  let parts = 0
  const spend = () => {
    parts += 1
    if (parts > MAX_PARTS) throw new TooManyParts()
  }
  try {
    return build({ depth, spend, leaveOpen: name => open.add(name) })
  } catch (error) {
    if (error instanceof TooManyParts) return null
    throw error
  }
}

function sizeOf(schema: JsonSchema): number {
  const json = JSON.stringify(schema).length
  // YAML takes more room than JSON, by its indentation; small schemas need no exact count.
  return json < 500 || json > MAX_CHARACTERS ? json : Math.max(json, toYaml(schema).length)
}

function withoutTexts(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema, (key, value) =>
    key === 'description' && typeof value === 'string' ? undefined : value,
  )
  return JSON.parse(text) as JsonSchema
}

function noteOpen(open: ReadonlySet<string>, notes: Set<string>): void {
  if (open.size === 0) return
  const named = [...open].slice(0, MOST_NAMES).join(', ')
  const more = open.size > MOST_NAMES ? ` and ${open.size - MOST_NAMES} others` : ''
  notes.add(
    `The whole schema does not fit into a card, so these allow any members: ${named}${more}.`,
  )
}
