import type { Effect } from '../model/route.ts'
import { compileTemplate, invalid, type Template } from './references.ts'

/** The references of a call of a batch to its other calls. */
export interface Dependent {
  /** The name by which later calls refer to it. */
  readonly id: string | null
  /** Ids of earlier calls that have to succeed first. */
  readonly needs: readonly string[]
  /** A reference to the list of items, each of which gets a call. */
  readonly forEach: unknown
}

/** A call of the batch with its place in the order. */
export interface Step {
  readonly index: number
  /** Indexes of the calls that have to succeed first. */
  readonly needs: readonly number[]
  readonly input: Template
  /** Selects the items; null for a plain call. */
  readonly items: Template | null
  /** Calls of one wave begin together, after all earlier waves have ended. */
  readonly wave: number
}

/** A call as far as planning reads it. */
interface Planned extends Dependent {
  readonly input: unknown
  /** Null for a call that sends nothing. */
  readonly effect: Effect | null
}

/**
 * Orders the calls. A call may only refer to earlier ones, so there are no cycles.
 * @param stopOnError a change waits for the calls before it, because none may begin after a failure
 * @throws {GatewayError} VALIDATION for a reference that is malformed or that names no earlier call
 */
export function planSteps(calls: readonly Planned[], stopOnError = false): readonly Step[] {
  const steps: Step[] = []
  const known = new Map<string, number>()
  let lastChange = 0
  let afterOthers = 0
  for (const [index, call] of calls.entries()) {
    const { input, items, names } = compileCall(call, index)
    const needs = names.map(([name, place]) => {
      const need = known.get(name)
      if (need === undefined) throw invalid(place, notEarlier(name, known))
      return need
    })
    const ready = Math.max(0, ...needs.map(need => (steps[need]?.wave ?? 0) + 1))
    // Changes keep the given order, so none may overtake an earlier one that waits.
    const isChange = call.effect !== null && call.effect !== 'read'
    const wave = isChange ? Math.max(ready, lastChange, afterOthers) : ready
    if (isChange) lastChange = wave
    else if (stopOnError) afterOthers = Math.max(afterOthers, wave + 1)
    steps.push({ index, needs: [...new Set(needs)], input, items, wave })
    if (call.id !== null && !known.has(call.id)) known.set(call.id, index)
  }
  return steps
}

interface CompiledCall extends Pick<Step, 'input' | 'items'> {
  /** The ids that the call names, each with its place. */
  readonly names: readonly (readonly [string, string])[]
}

function compileCall({ input, needs, forEach }: Planned, index: number): CompiledCall {
  const at = `calls.${index}`
  const template = compileTemplate(input, `${at}.input`)
  const items = forEach === undefined ? null : compileTemplate(forEach, `${at}.for_each`)
  if (items?.usesItem) throw invalid(`${at}.for_each`, 'must be a reference {"$from": …}')
  if (template.usesItem && !items) throw invalid(`${at}.input`, 'uses $item without for_each')
  const names = [
    ...needs.map((name, place) => [name, `${at}.needs.${place}`] as const),
    ...(items?.reads ?? []).map(name => [name, `${at}.for_each.$from`] as const),
    ...template.reads.map(name => [name, `${at}.input`] as const),
  ]
  return { input: template, items, names }
}

function notEarlier(name: string, known: ReadonlyMap<string, number>): string {
  const ids = [...known.keys()].map(id => `"${id}"`).join(', ')
  const earlier = ids === '' ? 'no earlier call has an id' : `earlier calls have the ids ${ids}`
  return `refers to "${name.slice(0, 128)}", which is no earlier call; ${earlier}`
}
