import type { ErrorObject } from 'ajv'
import { isObject } from '../lib/is-object.ts'
import { pointerKeys } from '../lib/json-pointer.ts'
import { shorten } from '../lib/text.ts'
import type { FieldProblem } from '../model/card.ts'
import { patternFault } from './pattern-fault.ts'
import { propertiesIn, requiredIn } from './schema-parts.ts'

/** Names of unknown members come from the caller, and may have any length. */
const LONGEST_PATH = 100
const MOST_NAMED = 12
const LONGEST_VALUES = 200

/** Messages for formats, in place of their names. */
const FORMATS: Readonly<Record<string, string>> = {
  'graphql-query': 'must be a GraphQL document with one operation, a query',
  byte: 'must be Base64, with padding and without line breaks',
  'date-time': 'must be a time such as 2026-01-31T12:00:00Z',
  date: 'must be a date such as 2026-01-31',
  time: 'must be a time of day such as 12:00:00Z',
  uri: 'must be a URL such as https://example.com/page',
  email: 'must be an e-mail address',
  uuid: 'must be a UUID',
}

type Describe = (error: ErrorObject, path: string) => FieldProblem | readonly FieldProblem[]

const at = (path: string, message: string): FieldProblem => ({ path, message })

/** The fault in words, by the keyword of the schema. Any other keyword has Ajv's message. */
const FAULTS: Readonly<Record<string, Describe>> = {
  additionalProperties: ({ params }, path) =>
    at(join(path, params.additionalProperty), 'is not a known member'),
  unevaluatedProperties: ({ params }, path) =>
    at(join(path, params.unevaluatedProperty), 'is not a known member'),
  required: ({ params }, path) => at(join(path, params.missingProperty), 'is required'),
  dependencies: ({ params }, path) =>
    at(join(path, params.missingProperty), `is required if ${params.property} is given`),
  format: ({ params, message }, path) =>
    at(path, FORMATS[String(params.format)] ?? message ?? 'has the wrong format'),
  enum: ({ params }, path) =>
    at(path, `must be one of ${shorten(params.allowedValues.join(', '), LONGEST_VALUES)}`),
  const: ({ params }, path) => at(path, `must be ${JSON.stringify(params.allowedValue)}`),
  type: ({ params }, path) => at(path, `must be ${[params.type].flat().join(' or ')}`),
  pattern: ({ data, parentSchema }, path) => at(path, patternFault(data, { ...parentSchema })),
  minLength: ({ params: { limit } }, path) =>
    at(path, limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
  maxLength: ({ params: { limit } }, path) => at(path, `must have at most ${limit} characters`),
  minItems: ({ params: { limit } }, path) => at(path, `must have at least ${items(limit)}`),
  maxItems: ({ params: { limit } }, path) => at(path, `must have at most ${items(limit)}`),
  uniqueItems: ({ params: { i, j } }, path) =>
    at(join(path, Math.max(i, j)), `repeats item ${Math.min(i, j)}`),
  minimum: ({ params: { limit } }, path) => at(path, `must be at least ${limit}`),
  maximum: ({ params: { limit } }, path) => at(path, `must be at most ${limit}`),
  minProperties: tooFew,
  maxProperties: ({ params: { limit } }, path) => at(path, `must have at most ${members(limit)}`),
  'false schema': (_, path) => at(path, 'must be left out'),
  propertyNames: ({ params }, path) =>
    at(join(path, params.propertyName), 'has a name that is not allowed'),
  anyOf: alternatives,
  oneOf: alternatives,
  not: excluded,
  if: (_, path) => at(path, 'does not fit its other members'),
  contains: ({ params: { minContains = 1 } }, path) =>
    at(path, `must have at least ${items(minContains)} of the right kind`),
}

/** The faulty members of one error of Ajv, each with the fault in words. */
export function describeFault(error: ErrorObject): readonly FieldProblem[] {
  const path = shorten(pointerKeys(error.instancePath).join('.'), LONGEST_PATH)
  const named = error.propertyName === undefined ? path : join(path, error.propertyName)
  const describe = FAULTS[error.keyword]
  if (describe === undefined) return [at(named, error.message ?? error.keyword)]
  const faults = [describe(error, named)].flat()
  return error.propertyName === undefined
    ? faults
    : faults.map(({ path: own, message }) => at(own, `is a name that ${message}`))
}

/**
 * Drops the errors that another one explains: those of the branches of a choice, except for the branch that the value
 * was meant for, and the summaries of errors that stand beside them.
 */
export function tellingErrors(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const choices = choicesIn(errors)
  const inBranches = new Set(choices.flatMap(({ branches }) => branches))
  const dropped = new Set(besideWrongType(errors, inBranches))
  for (const { choice, branches } of choices) {
    const meant = meantBranch(choice, branches)
    const kept = new Set(meant)
    for (const error of branches) if (!kept.has(error)) dropped.add(error)
    if (meant) dropped.add(choice)
  }
  const telling = errors.filter(error => !dropped.has(error))
  const isSummary = ({ keyword }: ErrorObject) => SUMMARIES.includes(keyword)
  const others = telling.filter(error => !isSummary(error))
  return others.length > 0 ? others : telling
}

/** Every other fault of a value that is not of the type of its schema: only its type is to be corrected. */
function besideWrongType(
  errors: readonly ErrorObject[],
  inBranches: ReadonlySet<ErrorObject>,
): readonly ErrorObject[] {
  const types = new Set(errors.filter(one => one.keyword === 'type' && !inBranches.has(one)))
  const wrong = new Set([...types].map(({ instancePath }) => instancePath))
  return errors.filter(error => wrong.has(error.instancePath) && !types.has(error))
}

/** Keywords that add an error to those of the schemas inside them. */
const SUMMARIES: readonly string[] = ['if', 'propertyNames', 'dependentRequired']

interface Choice {
  readonly choice: ErrorObject
  readonly branches: readonly ErrorObject[]
}

/** The failed choices, each with the errors of its branches. */
function choicesIn(errors: readonly ErrorObject[]): readonly Choice[] {
  return errors.flatMap((choice, index) =>
    choice.keyword === 'anyOf' || choice.keyword === 'oneOf'
      ? [{ choice, branches: errorsInside(errors, index) }]
      : [],
  )
}

/**
 * The errors of a choice's branches. Ajv reports them before the choice itself, and between them only others about the same
 * value, so the search ends at the first error about another one: a list may have an error for each of its items.
 */
function errorsInside(errors: readonly ErrorObject[], index: number): readonly ErrorObject[] {
  const { schemaPath, instancePath } = errors[index] as ErrorObject
  const isAbout = ({ instancePath: path }: ErrorObject) =>
    path === instancePath || path.startsWith(`${instancePath}/`)
  let start = index
  while (start > 0 && isAbout(errors[start - 1] as ErrorObject)) start--
  const near = errors.slice(start, index)
  return near.filter(error => error.schemaPath.startsWith(`${schemaPath}/`))
}

/** The errors of the only branch that takes values of this type; null if there is no such branch. */
function meantBranch(
  choice: ErrorObject,
  errors: readonly ErrorObject[],
): readonly ErrorObject[] | null {
  const byBranch = Map.groupBy(
    errors,
    ({ schemaPath }) => schemaPath.slice(choice.schemaPath.length + 1).split('/')[0] ?? '',
  )
  const branches = [...byBranch.values()].filter(
    own =>
      !own.some(
        ({ keyword, instancePath }) => keyword === 'type' && instancePath === choice.instancePath,
      ),
  )
  const [only] = branches
  const isRequired = only?.every(({ keyword }) => keyword === 'required') ?? true
  return branches.length === 1 && only && byBranch.size > 1 && !isRequired ? only : null
}

/** The branches of a choice that only name members, e.g. `anyOf: [{required: [a]}, {required: [b]}]`. */
function alternatives({ keyword, schema, data, params }: ErrorObject, path: string) {
  const branches: readonly unknown[] = Array.isArray(schema) ? schema : []
  const sets = branches.map(branch => (isObject(branch) ? requiredIn(branch) : []))
  if (sets.length === 0 || sets.some(set => set.length === 0)) return at(path, typesOf(branches))
  const given = isObject(data) ? data : {}
  const names = [...new Set(sets.flat())]
  if (keyword === 'oneOf' && Array.isArray(params.passingSchemas)) {
    const present = names.filter(name => given[name] !== undefined)
    return present.map(name => at(join(path, name), `excludes ${others(present, name, 'and')}`))
  }
  const absent = names.filter(name => given[name] === undefined)
  return absent.map(name =>
    at(join(path, name), `is required, unless ${others(names, name, 'or')} is given`),
  )
}

function others(names: readonly string[], name: string, word: string): string {
  return names.filter(other => other !== name).join(` ${word} `)
}

function typesOf(branches: readonly unknown[]): string {
  const texts = branches.flatMap(branch => (isObject(branch) ? formOf(branch) : []))
  const forms = [...new Set(texts)]
  return forms.length > 0 ? `must be ${forms.join(', or ')}` : 'has none of the allowed forms'
}

function formOf({ type, description, const: only, enum: some }: Readonly<Record<string, unknown>>) {
  if (only !== undefined) return [JSON.stringify(only)]
  if (Array.isArray(some)) return [`one of ${shorten(some.join(', '), LONGEST_VALUES)}`]
  if (type === undefined) return []
  const what = [type].flat().map(String).join(' or ')
  return [typeof description === 'string' ? `${what} (${shorten(description, 80)})` : what]
}

/** `not: {required: [a, b]}`: the members exclude each other. */
function excluded({ schema }: ErrorObject, path: string) {
  const names = isObject(schema) ? requiredIn(schema) : []
  if (names.length === 0) return at(path, 'has a value that is not allowed')
  const [only] = names
  if (names.length === 1) return at(join(path, only), 'must be left out')
  return names.map(name => at(join(path, name), `excludes ${others(names, name, 'and')}`))
}

/** Names the members of which some are missing, if the schema lists them. */
function tooFew({ params: { limit }, parentSchema = {}, data }: ErrorObject, path: string) {
  const given = isObject(data) ? data : {}
  const required = requiredIn(parentSchema)
  const names = Object.keys(propertiesIn(parentSchema)).filter(
    name => !required.includes(name) && given[name] === undefined,
  )
  if (names.length === 0) return at(path, `must have at least ${members(limit)}`)
  const missing = Math.max(1, limit - Object.keys(given).length)
  const wanted = required.every(name => given[name] !== undefined)
    ? missing
    : limit - required.length
  const count = Math.max(1, wanted) === 1 ? 'one' : String(wanted)
  const more = names.length > MOST_NAMED ? ', …' : ''
  return at(path, `needs at least ${count} of ${names.slice(0, MOST_NAMED).join(', ')}${more}`)
}

function items(count: number): string {
  return count === 1 ? '1 item' : `${count} items`
}

function members(count: number): string {
  return count === 1 ? '1 member' : `${count} members`
}

function join(path: string, member: unknown): string {
  return shorten(path ? `${path}.${String(member)}` : String(member), LONGEST_PATH)
}
