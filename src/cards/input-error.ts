import type { ErrorObject } from 'ajv'
import { isObject } from '../lib/is-object.ts'
import type { FieldProblem, JsonSchema } from '../model/card.ts'
import { GatewayError } from '../model/errors.ts'
import { type KnownMembers, likelyMembers } from './likely-members.ts'
import { propertiesIn, requiredIn } from './schema-parts.ts'

/** A faulty member, and the slip that it most likely is. */
export interface InputFault extends FieldProblem {
  /** For the list of faults, where the name of the member stands beside it. */
  readonly advice?: string
  /** The same for a text that names several members. */
  readonly advised?: string
}

const MOST_NAMED = 6
const MOST_ADVISED = 3

/** VALIDATION, with every fault and what was most likely meant. */
export function inputError(
  capability: string,
  schema: JsonSchema,
  faults: readonly InputFault[],
): GatewayError {
  const advised = [...new Set(faults.flatMap(({ advised: advice }) => advice ?? []))]
  const expected = `Members: ${Object.keys(propertiesIn(schema)).join(', ')}.`
  const message = `Input of ${capability}: ${problemsInShort(faults)}.`
  const fields = faults.map(({ path, message: problem, advice }) => ({
    path,
    message: advice === undefined ? problem : `${problem}. ${advice}`,
  }))
  return new GatewayError(
    'VALIDATION',
    [message, ...advised.slice(0, MOST_ADVISED), expected].join(' '),
    {
      source: 'caller',
      details: { fields },
    },
  )
}

/** `"owner" and "name" are required`, or the first problem and the names of the others. */
function problemsInShort(fields: readonly FieldProblem[]): string {
  const [first] = fields
  if (!first) return 'is not valid'
  const names = fields.filter(({ path }) => path !== '').map(({ path }) => `"${path}"`)
  const isAlike = fields.every(({ message }) => message === first.message)
  if (
    fields.length > 1 &&
    names.length === fields.length &&
    isAlike &&
    first.message.startsWith('is ')
  ) {
    return `${names.slice(0, -1).join(', ')} and ${names.at(-1)} are ${first.message.slice(3)}`
  }
  const also = [...new Set(names)].slice(1, MOST_NAMED).join(', ')
  const where = first.path ? `"${first.path}" ` : ''
  return `${where}${first.message}${also === '' ? '' : ` (also ${also})`}`
}

/**
 * Names the slip that a fault most likely is: a member under another name, or two members in one text.
 * @param error with the schema and the data that it is about
 */
export function withAdvice(
  problem: FieldProblem,
  error: ErrorObject,
  input: unknown,
  upstreamNames: ReadonlyMap<string, string>,
): InputFault {
  if (error.keyword === 'additionalProperties') return unknownMember(problem, error, upstreamNames)
  const { path } = problem
  return isObject(input) && isPart(path) ? withParts(problem, input[path]) : problem
}

function unknownMember(
  problem: FieldProblem,
  { parentSchema = {}, data, params }: ErrorObject,
  upstreamNames: ReadonlyMap<string, string>,
): InputFault {
  const unknown = String(params.additionalProperty)
  const object = isObject(data) ? data : {}
  const known = {
    names: Object.keys(propertiesIn(parentSchema)),
    required: requiredIn(parentSchema),
    given: Object.keys(object),
    upstreamNames,
  }
  if (isWrapper(object[unknown], known.names)) return unwrapped(problem)
  const likely = likelyMembers(unknown, known)
  if (PARTS.every(part => known.names.includes(part)) && meansWhole(unknown, likely)) {
    const split = withParts(problem, object[unknown])
    if (split.advice !== undefined) return split
  }
  if (likely.length === 0) return isFlat(known) ? inInput(problem) : problem
  const names = likely.join(' or ')
  return {
    ...problem,
    advice: `Did you mean ${names}?`,
    advised: `Did you mean ${names} instead of "${problem.path}"?`,
  }
}

/** Whether a caller put the input, or a part of it, into a member of its own, as `{"input": {"owner": …}}`. */
function isWrapper(value: unknown, names: readonly string[]): boolean {
  const inner = isObject(value) ? Object.keys(value) : []
  return inner.length > 0 && inner.every(name => names.includes(name))
}

function unwrapped(problem: FieldProblem): InputFault {
  const advice = `Send its members without "${problem.path}" around them.`
  return {
    ...problem,
    advice,
    advised: `Send the members of "${problem.path}" without it around them.`,
  }
}

/** Whether the members of a capability stand beside the capability of a call. */
function isFlat({ names, given }: Pick<KnownMembers, 'names' | 'given'>): boolean {
  return ['capability', 'input'].every(name => names.includes(name)) && !given.includes('input')
}

function inInput(problem: FieldProblem): InputFault {
  return {
    ...problem,
    advice: 'Put it into input.',
    advised: 'Put the members of the capability into input.',
  }
}

/** The members that services show joined by a slash. */
const PARTS = ['owner', 'name']
const WHOLE = /^(?:https?:\/\/[\w.:-]{1,200}\/)?[\w.-]{1,100}\/[\w.-]{1,100}\/?$/
const LONGEST_WHOLE = 420
/** Names under which callers send both parts. */
const WHOLE_NAME = /^(?:repo|repository|project|slug|full_?name|name_?with_?owner|url)$/i

function isPart(name: string): boolean {
  return PARTS.includes(name)
}

function meansWhole(unknown: string, likely: readonly string[]): boolean {
  return WHOLE_NAME.test(unknown) || likely.some(isPart)
}

function withParts(problem: FieldProblem, value: unknown): InputFault {
  if (typeof value !== 'string' || value.length > LONGEST_WHOLE || !WHOLE.test(value)) {
    return problem
  }
  const advice = 'Send what stands before the slash as owner, and the rest as name.'
  return { ...problem, advice, advised: advice }
}
