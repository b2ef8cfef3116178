import { type Ajv, type ErrorObject, str, type ValidateFunction } from 'ajv'
import { copyJson, hasRawNumber, restoreRawNumbers, toDoubles } from '../lib/exact-json.ts'
import { isObject } from '../lib/is-object.ts'
import { once } from '../lib/late.ts'
import { hasMoreValues, isValueTooDeep, MAX_NESTING } from '../lib/nesting.ts'
import { isWellFormedDeep } from '../lib/well-formed.ts'
import type { FieldProblem, JsonSchema } from '../model/card.ts'
import { createAjv } from './ajv.ts'
import { type InputFault, inputError, withAdvice } from './input-error.ts'
import { describeFault, tellingErrors } from './schema-fault.ts'

/** Problems reported at once; a hostile input could have thousands. */
const MOST_PROBLEMS = 20

/** A larger input gets only its first fault reported: each of its values could have several. */
export const MOST_EXPLAINED = 10_000

// `checkSchema` has looked for faults. Only a thorough one refuses keywords without effect, which do no harm here.
const options = {
  strictSchema: false,
  strictTypes: false,
  strictTuples: false,
  validateSchema: false,
} as const
const inputAjv = createAjv({ ...options, useDefaults: true })
const inputAjvAll = withGuardedPatterns(createAjv({ ...options, allErrors: true, verbose: true }))
const inputAjvFirst = createAjv({ ...options, verbose: true })
const outputAjv = createAjv(options)
/**
 * For the files of Signalbox itself, whose schemas carry TypeBox's annotations. Checks run too seldom to make up for the
 * time that an optimization takes.
 */
const sourceAjv = createAjv({
  ...options,
  strict: false,
  allErrors: true,
  verbose: true,
  code: { optimize: false },
})

/**
 * Keeps patterns from texts over their `maxLength`. An Ajv that stops at the first error checks `maxLength` first by
 * itself; one that collects all errors would go on to the pattern.
 */
function withGuardedPatterns(ajv: Ajv): Ajv {
  ajv.removeKeyword('pattern')
  return ajv.addKeyword({
    keyword: 'pattern',
    type: 'string',
    schemaType: 'string',
    compile(pattern: string, parentSchema) {
      const { maxLength = Number.POSITIVE_INFINITY } = parentSchema as { maxLength?: number }
      const regex = new RegExp(pattern, 'u')
      // `maxLength` counts code points, of which a text has at least half as many as units.
      return (text: string) =>
        text.length > 2 * maxLength || isLonger(text, maxLength) || regex.test(text)
    },
    error: { message: ({ schemaCode }) => str`must match pattern "${schemaCode}"` },
  })
}

function isLonger(text: string, maxLength: number): boolean {
  return text.length > maxLength && Array.from(text).length > maxLength
}

/** Compiles on first use: a process uses few of a thousand cards. */
function createCheck(ajv: Ajv, schema: JsonSchema): () => ValidateFunction {
  return once(() => ajv.compile(schema))
}

const NO_NAMES: ReadonlyMap<string, string> = new Map()

/**
 * Builds the check of a caller's input, which converts nothing, drops nothing and refuses unknown members.
 * @param upstreamNames names that callers may know a member by: `body` → `text`
 */
export function compileInput(
  capability: string,
  schema: JsonSchema,
  upstreamNames: () => ReadonlyMap<string, string> = () => NO_NAMES,
) {
  const check = createCheck(inputAjv, schema)
  // The fast check stops at the first fault. Only a faulty input pays for a search for all of them.
  const explainAll = createCheck(inputAjvAll, schema)
  const explainFirst = createCheck(inputAjvFirst, schema)
  const copyWith = once(() => copyFor(schema))
  const parse = (input: unknown): Parsed => {
    if (isValueTooDeep(input)) throw inputError(capability, schema, [TOO_DEEP])
    const value = isObject(input) ? copyWith()(input) : input
    const passes = check()
    if (passes(value)) {
      // No route can send half a surrogate pair, or each would send something else.
      if (isWellFormedDeep(value)) return value as Record<string, unknown>
      throw inputError(capability, schema, illFormedMembers(value as Record<string, unknown>))
    }
    if (hasRawNumber(input)) return restoreRawNumbers(parse(toDoubles(input)), input) as Parsed
    const faults = hasMoreValues(input, MOST_EXPLAINED) ? explainFirst() : explainAll()
    faults(input)
    const errors = faults.errors ?? passes.errors ?? []
    const advise: Advise = (problem, error) => withAdvice(problem, error, input, upstreamNames())
    throw inputError(capability, schema, describeSchemaErrors(errors, advise))
  }
  return parse
}

/** Doors that read a text refuse it before; MCP over stdio reads messages with a library. */
const TOO_DEEP = { path: '', message: `must be nested at most ${MAX_NESTING} levels deep` }

type Parsed = Readonly<Record<string, unknown>>

export function compileOutput(schema: JsonSchema) {
  const check = createCheck(outputAjv, schema)
  return (data: unknown): readonly FieldProblem[] => {
    const passes = check()
    if (passes(data) || (hasRawNumber(data) && passes(toDoubles(data)))) return []
    return describeSchemaErrors(passes.errors ?? [])
  }
}

function illFormedMembers(input: Readonly<Record<string, unknown>>): FieldProblem[] {
  return Object.entries(input)
    .filter(([, member]) => !isWellFormedDeep(member))
    .map(([path]) => ({ path, message: 'is not well-formed Unicode' }))
}

type Copy = (input: Record<string, unknown>) => Record<string, unknown>

/** Copies as much of an input as the check writes defaults into, so that the caller's value stays as it was. */
function copyFor(schema: JsonSchema): Copy {
  const properties = Object.values((schema.properties ?? {}) as Readonly<Record<string, object>>)
  const atTop = properties.filter(property => Object.hasOwn(property, 'default')).length
  const anywhere = JSON.stringify(schema).split('"default":').length - 1
  if (anywhere === 0) return input => input
  return anywhere === atTop ? input => ({ ...input }) : copyJson
}

/** Checks a file of Signalbox's own. */
export function compileSource(schema: JsonSchema): (value: unknown) => readonly ErrorObject[] {
  const check = createCheck(sourceAjv, schema)
  return value => (check()(value) ? [] : (check().errors ?? []))
}

type Advise = (problem: FieldProblem, error: ErrorObject) => InputFault

/** The first problems, without repetitions. */
export function describeSchemaErrors(
  errors: readonly ErrorObject[],
  advise: Advise = problem => problem,
): InputFault[] {
  const problems = new Map<string, InputFault>()
  for (const error of tellingErrors(errors)) {
    if (problems.size >= MOST_PROBLEMS) break
    for (const problem of describeFault(error)) {
      const key = `${problem.path} ${problem.message}`
      if (!problems.has(key)) problems.set(key, advise(problem, error))
    }
  }
  return [...problems.values()]
}

/** Ajv's error in words, with the faulty member in the path, where a caller looks for it. */
export function describeSchemaError(error: ErrorObject): FieldProblem {
  return describeFault(error)[0] ?? { path: '', message: error.keyword }
}
