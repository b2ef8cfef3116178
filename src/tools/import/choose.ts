import { ImportError } from './errors.ts'
import { MAX_ID, shortId } from './names.ts'
import type { Operation } from './service.ts'

/** The most operations that are imported without `--only`. */
export const MAX_WITHOUT_ONLY = 50

/** An operation, and the id of its capability. */
export interface Named {
  readonly id: string
  readonly operation: Operation
}

/**
 * Gives each operation its own id, short enough for the name of a tool. If a capability of another upstream has the
 * id, the name of this upstream goes before it. If another operation has it, the id derives from the path instead.
 */
export function nameOperations(
  operations: readonly Operation[],
  upstream: string,
  takenElsewhere: ReadonlySet<string>,
): Named[] {
  const given = new Set<string>()
  const elsewhere = new Set([...takenElsewhere].map(asTool))
  const prefix = `${upstream.replaceAll('-', '_')}.`
  return operations.map(operation => {
    const candidates = [operation.id, operation.otherId].map(id => {
      const short = shortId(id)
      return elsewhere.has(asTool(short)) ? prefix + shortId(id, MAX_ID - prefix.length) : short
    })
    const free = candidates.find(candidate => !given.has(asTool(candidate)))
    const id = free ?? numbered(candidates, given)
    given.add(asTool(id))
    return { id, operation }
  })
}

/** The names of tools have no dots, so two ids that differ only there would be one tool. */
function asTool(id: string): string {
  return id.replaceAll('.', '_')
}

function numbered([id = '']: readonly string[], given: ReadonlySet<string>): string {
  const short = shortId(id, MAX_ID - 4)
  let number = 2
  while (given.has(asTool(`${short}_${number}`))) number += 1
  return `${short}_${number}`
}

/** Returns the operations that match a pattern; without patterns all, if they are not too many. */
export function choose(
  all: readonly Named[],
  patterns: readonly string[],
  isDryRun: boolean,
): Named[] {
  if (patterns.length === 0) {
    if (all.length <= MAX_WITHOUT_ONLY || isDryRun) return [...all]
    throw new ImportError(
      `the document has ${all.length} operations. Choose some, e.g. with --only '${all[0]?.operation.label}', ` +
        `or all with --only '*'; --dry-run lists them`,
    )
  }
  const chosen = new Set<Named>()
  for (const pattern of patterns) {
    const found = all.filter(named => matches(named, pattern))
    if (found.length === 0) {
      throw new ImportError(
        `--only '${pattern}' matches none of the ${all.length} operations; --dry-run without --only lists them`,
      )
    }
    for (const named of found) chosen.add(named)
  }
  return all.filter(named => chosen.has(named))
}

/** Compares the label, the path alone, the operationId, and the id of the capability. `*` is a wildcard. */
function matches({ id, operation }: Named, pattern: string): boolean {
  const literals = pattern
    .trim()
    .split('*')
    .map(part => RegExp.escape(part))
  const expression = new RegExp(`^${literals.join('.*')}$`, 'i')
  const path = operation.label.slice(operation.label.indexOf(' ') + 1)
  return [operation.label, path, operation.name ?? '', id].some(text => expression.test(text))
}
