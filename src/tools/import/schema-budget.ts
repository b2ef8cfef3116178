import type { JsonSchema } from '../../model/card.ts'
import { sizeInYaml } from './yaml.ts'

/** The characters that the schemas of an operation may still take in one half of its card. */
export interface Budget {
  left: number
}

/** A card has an input and an output of at most this size, and stays below 64 kB with its other keys. */
const MAX_CHARACTERS = 28_000
/** Larger schemas do not fit anyway; to build them whole would take minutes. */
const MAX_PARTS = 1200
/** Levels of objects and lists in a schema that fits as a whole. */
const MAX_DEPTH = 30
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
  const found = tryToBuild(MAX_DEPTH, budget, build) ?? deepestFitting(budget, build)
  if (!found) {
    notes.add('One schema allows any value, because it is too large for a card.')
    return {}
  }
  budget.left -= found.size
  noteOpen(found.open, notes)
  return found.build()
}

interface Try {
  readonly size: number
  /** Names of the parts that are left open. */
  readonly open: ReadonlySet<string>
  /** Builds the schema again, so that only this try leaves notes. */
  build(): JsonSchema
}

function deepestFitting(budget: Budget, build: (limits: Limits) => JsonSchema): Try | null {
  let best: Try | null = null
  for (let depth = 1; depth < MAX_DEPTH; depth++) {
    const found = tryToBuild(depth, budget, build)
    if (!found) break
    best = found
  }
  // Names and types say more than descriptions.
  return best ?? tryToBuild(1, budget, limits => withoutTexts(build(limits)))
}

function tryToBuild(
  depth: number,
  budget: Budget,
  build: (limits: Limits) => JsonSchema,
): Try | null {
  const open = new Set<string>()
  let parts = 0
  const spend = () => {
    parts += 1
    if (parts > MAX_PARTS) throw new TooManyParts()
  }
  const buildOnce = () => {
    parts = 0
    return build({ depth, spend, leaveOpen: name => open.add(name) })
  }
  try {
    const size = sizeInYaml(buildOnce())
    return size <= budget.left ? { size, open, build: buildOnce } : null
  } catch (error) {
    if (error instanceof TooManyParts) return null
    throw error
  }
}

function withoutTexts(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema, (key, value) =>
    key === 'description' && typeof value === 'string' ? undefined : value,
  )
  return JSON.parse(text) as JsonSchema
}

/** Takes the space of a parameter's name, which stands in the input and in the request. False if it does not fit. */
export function spendOnName(budget: Budget, name: string): boolean {
  budget.left -= 3 * name.length + 20
  return budget.left >= 0
}

export function noteOmitted(names: ReadonlySet<string>, notes: Set<string>): void {
  if (names.size === 0) return
  notes.add(`Not all parameters fit into a card, so it lacks these: ${listed(names)}.`)
}

function noteOpen(open: ReadonlySet<string>, notes: Set<string>): void {
  if (open.size === 0) return
  notes.add(
    `The whole schema does not fit into a card, so these allow any members: ${listed(open)}.`,
  )
}

function listed(names: ReadonlySet<string>): string {
  const more = names.size > MOST_NAMES ? ` and ${names.size - MOST_NAMES} others` : ''
  return `${[...names].slice(0, MOST_NAMES).join(', ')}${more}`
}
