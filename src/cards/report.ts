import type { ErrorObject } from 'ajv'
import type { Makers } from '../lib/late.ts'
import { formatProblem, type Problem } from '../lib/problem.ts'
import type { KeyPath, SourceFile } from '../lib/yaml-source.ts'
import { likelyMembers } from './likely-members.ts'
import { describeSchemaError } from './validate.ts'

/** Replaces the schema's message about a value when the cause is known; null when it is not. */
export type Explain = (path: KeyPath) => Pick<Problem, 'message' | 'fix'> | null

/** Adds a problem with the value at `path`, which the message then begins with. */
export function reportProblem(
  source: SourceFile,
  path: KeyPath,
  message: string,
  fix: string,
  problems: Problem[],
): void {
  problems.push({
    file: source.file,
    line: source.lineOf(path),
    message: `${path.join('.') || 'the file'} ${message}`,
    fix,
  })
}

/** Turns schema errors of a file into problems with lines. `base` is the path of the checked value. */
export function reportSchemaErrors(
  source: SourceFile,
  base: KeyPath,
  errors: readonly ErrorObject[],
  problems: Problem[],
  explain: Explain = () => null,
): void {
  // A failed union reports each of its branches and then itself; only the last helps a person.
  const unions = errors.filter(error => error.keyword === 'anyOf').map(error => error.instancePath)
  for (const error of errors) {
    if (error.keyword !== 'anyOf' && unions.includes(error.instancePath)) continue
    const { path, message } = describeSchemaError(error)
    const full = [...base, ...(path ? path.split('.') : [])]
    problems.push({
      file: source.file,
      line: source.lineOf(full),
      message: `${full.join('.') || 'the file'} ${faultOf(error, message)}`,
      fix: fixFor(error),
      // No value makes an unknown member right.
      ...(error.keyword === 'additionalProperties' ? null : explain(full)),
    })
  }
}

/** Leaves out the words of the schema about a form, which the fix has. */
function faultOf({ keyword }: ErrorObject, message: string): string {
  if (keyword === 'anyOf') return 'has none of the allowed values'
  return message.replace(/^(does not have the right form): .*$/s, '$1')
}

interface ParentSchema {
  readonly type?: unknown
  readonly properties?: object
  readonly description?: string
  readonly items?: ParentSchema
  readonly const?: unknown
  readonly anyOf?: readonly ParentSchema[]
}

function fixFor(error: ErrorObject): string {
  const parent = (error.parentSchema ?? {}) as ParentSchema
  const { properties = {}, description, anyOf = [] } = parent
  switch (error.keyword) {
    case 'additionalProperties':
      return fixForUnknown(error.params.additionalProperty, Object.keys(properties))
    case 'required':
      return `Add "${error.params.missingProperty}".`
    case 'enum':
      return fixForUnion(error.params.allowedValues, parent)
    case 'anyOf':
      return fixForUnion(
        anyOf.map(branch => branch.const),
        parent,
      )
    case 'type':
      return described(parent)
    default:
      return description ?? formOf(parent)
  }
}

/** The form of a value, and its purpose if the schema says one. */
function described(schema: ParentSchema): string {
  return [formOf(schema), schema.description ?? []].flat().join(' ')
}

function formOf({ type, properties = {}, items = {}, anyOf = [] }: ParentSchema): string {
  const names = Object.keys(properties)
  if (names.length > 0) return `Write an object with members such as: ${names.join(', ')}.`
  if (type === 'array' && items.type === 'object') return LIST_OF_OBJECTS
  const forms = anyOf.map(branch => FORMS[String(branch.type)] ?? [])
  const form = FORMS[String(type)] ?? [...new Set(forms.flat())].join(', or ')
  return form === '' ? 'See docs/cards.md for the form of this key.' : `Write ${form}.`
}

const LIST_OF_OBJECTS = 'Write a list of objects, each after a dash.'

const FORMS: Readonly<Record<string, string>> = {
  object: 'an object: names with a value for each',
  array: 'a list, such as [a, b]',
  string: 'a text, in quotes if YAML takes it for something else',
  integer: 'a whole number, without quotes',
  number: 'a number, without quotes',
  boolean: 'true or false, without quotes',
}

function fixForUnknown(unknown: string, names: readonly string[]): string {
  const known = { names, required: [], given: [], upstreamNames: new Map<string, string>() }
  const likely = likelyMembers(unknown, known)
  const fix = likely.length === 0 ? 'Remove it' : `Write ${likely.join(' or ')}`
  return `${fix}, or use one of: ${names.join(', ')}.`
}

function fixForUnion(values: readonly unknown[], parent: ParentSchema): string {
  const allowed = values.filter(value => typeof value === 'string')
  return allowed.length > 0 ? `Use one of: ${allowed.join(', ')}.` : described(parent)
}

/** For parts that are made late: a fault in one that was taken for faultless must not stay unnoticed. */
export function soundly<Made extends object>(
  makers: Makers<Made>,
  problems: readonly Problem[],
): Makers<Made> {
  const sound = <Part>(make: () => Part) => {
    const before = problems.length
    const made = make()
    const [fault] = problems.slice(before)
    if (fault) throw new Error(formatProblem(fault))
    return made
  }
  const names = Object.keys(makers) as (keyof Made)[]
  return Object.fromEntries(
    names.map(name => [name, () => sound(makers[name])]),
  ) as unknown as Makers<Made>
}
