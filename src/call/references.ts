import { compileCallerExpression } from '../expressions/caller-expression.ts'
import { isObject } from '../lib/is-object.ts'
import { messageOf } from '../lib/message-of.ts'
import { MAX_NESTING } from '../lib/nesting.ts'
import { shorten } from '../lib/text.ts'
import type { FieldProblem } from '../model/card.ts'
import { GatewayError } from '../model/errors.ts'
import type { ReferenceRoom } from './reference-room.ts'

export { MAX_CALLER_EXPRESSION } from '../expressions/caller-expression.ts'

/** The values that references read. */
export interface Scope {
  /** The envelope of each step that has ended, in the dialect `default`; with for_each, the list of its envelopes. */
  readonly steps: ReadonlyMap<string, unknown>
  /** The item of a call that for_each makes. */
  readonly item?: unknown
  /** Counts what the references search and fill in; null where nothing is read. */
  readonly room: ReferenceRoom | null
}

/** More references in one input are refused: each is compiled. */
const MOST_REFERENCES = 500

/** A path of names and positions, which reads one value and searches nothing. */
const ONE_VALUE = /^(?:@|[A-Za-z_]\w*)(?:\.[A-Za-z_]\w*|\[-?\d+\])*$/

/** The values of a batch that has not run: every reference reads null. */
export const UNRESOLVED: Scope = { steps: new Map(), room: null }

/** A place in an input that an earlier result fills. */
export interface Origin {
  /** The member, dotted. */
  readonly path: string
  readonly reference: Reference
  /** The words of a message for its source. */
  readonly source: string
}

/** An input with references in it, compiled. */
export interface Template {
  /** Ids of the steps that it reads. */
  readonly reads: readonly string[]
  readonly origins: readonly Origin[]
  readonly usesItem: boolean
  /** @throws {GatewayError} VALIDATION when an expression fails on the value that it gets, or when references search too much. */
  bind(scope: Scope): unknown
}

type Bind = (scope: Scope) => unknown

/** Members that make an object a reference. `$literal` sends an object of a caller's own that has one of them. */
const MARKS = ['$from', '$item', '$literal'] as const

/**
 * Compiles an input. Objects with a member `$from` or `$item` are references, wherever they stand.
 * @param at where the input stands in the batch, for messages
 * @throws {GatewayError} VALIDATION for a malformed reference
 */
export function compileTemplate(input: unknown, at: string): Template {
  const reads = new Set<string>()
  const origins: Origin[] = []
  let usesItem = false
  let isPlain = true

  const compileValue = (value: unknown, path: readonly string[]): Bind => {
    // The check of the input refuses it later, by name.
    if (path.length > MAX_NESTING) return () => value
    if (Array.isArray(value)) {
      const items = value.map((item, index) => compileValue(item, [...path, String(index)]))
      return scope => items.map(item => item(scope))
    }
    if (!isObject(value)) return () => value
    if (MARKS.some(mark => Object.hasOwn(value, mark))) return compileReference(value, path)
    const members = Object.entries(value).map(
      ([name, member]) => [name, compileValue(member, [...path, name])] as const,
    )
    return scope => Object.fromEntries(members.map(([name, member]) => [name, member(scope)]))
  }

  const compileReference = (value: Record<string, unknown>, path: readonly string[]): Bind => {
    const place = [at, ...path].join('.')
    isPlain = false
    if (origins.length === MOST_REFERENCES) {
      throw invalid(place, `is one reference too many: an input may have ${MOST_REFERENCES}`)
    }
    if (Object.hasOwn(value, '$literal')) {
      requireMembers(value, ['$literal'], place)
      return () => value.$literal
    }
    const reference = Object.hasOwn(value, '$item')
      ? readItem(value, place)
      : readFrom(value, place)
    const source = describeSource(reference)
    if (reference.from === null) usesItem = true
    else reads.add(reference.from)
    origins.push({ path: path.join('.'), reference, source })
    return evaluator(reference, place, source)
  }

  const bind = compileValue(input, [])
  return { reads: [...reads], origins, usesItem, bind: isPlain ? () => input : bind }
}

/** A reference; `from` is null for one to the item. */
export interface Reference {
  readonly from: string | null
  readonly path: string
}

function readFrom(value: Record<string, unknown>, place: string): Reference {
  requireMembers(value, ['$from', 'path'], place)
  const { $from: from, path = '@' } = value
  if (typeof from !== 'string') throw invalid(`${place}.$from`, 'must be the id of an earlier call')
  if (typeof path !== 'string') throw invalid(`${place}.path`, 'must be a JMESPath expression')
  return { from, path }
}

function readItem(value: Record<string, unknown>, place: string): Reference {
  requireMembers(value, ['$item'], place)
  if (typeof value.$item !== 'string') {
    throw invalid(`${place}.$item`, 'must be a JMESPath expression; "@" is the whole item')
  }
  return { from: null, path: value.$item }
}

function requireMembers(
  value: Record<string, unknown>,
  known: readonly string[],
  place: string,
): void {
  const other = Object.keys(value).find(name => !known.includes(name))
  if (other === undefined) return
  throw invalid(
    `${place}.${shorten(other, 100)}`,
    `is not a member of a reference. Put data of your own that has a member called ${known[0]} into {"$literal": …}`,
  )
}

function evaluator({ from, path }: Reference, place: string, source: string): Bind {
  let evaluate: (value: unknown) => unknown
  try {
    evaluate = compileCallerExpression(path)
  } catch (error) {
    const member = from === null ? '$item' : 'path'
    throw invalid(`${place}.${member}`, messageOf(error))
  }
  const valueIn = (read: unknown): unknown => {
    try {
      return evaluate(read)
    } catch (error) {
      throw invalid(place, `cannot be read from ${source}: ${messageOf(error)}`)
    }
  }
  const searches = !ONE_VALUE.test(path)
  return scope => {
    if (scope === UNRESOLVED) return null
    const { steps, item, room } = scope
    const read = from === null ? item : steps.get(from)
    if (searches) room?.read(read, place)
    const value = valueIn(read)
    room?.fill(value, place)
    return value
  }
}

function describeSource({ from, path }: Reference): string {
  return from === null ? `$item ${path}` : `call "${shorten(from, 128)}", ${path}`
}

/** An error that names a member of the batch. */
export function invalid(path: string, message: string): GatewayError {
  const fields: FieldProblem[] = [{ path, message }]
  return new GatewayError('VALIDATION', `"${path}" ${message}.`, {
    source: 'caller',
    details: { fields },
  })
}
