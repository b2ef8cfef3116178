import { withoutNullsDeep } from '../../src/lib/without-nulls.ts'
import type { SectionCompiler } from '../../src/model/adapter.ts'
import type { ErrorCode } from '../../src/model/errors.ts'
import type { ExpressionScope } from '../../src/model/expression.ts'
import { checkApiCommand } from './api-command.ts'
import { forbidsLeadingDash } from './leading-dash.ts'
import type { CliCardSection } from './schema.ts'

/** Linux rejects a single argument of 128 KiB including its terminating NUL (MAX_ARG_STRLEN). */
const MAX_ARGUMENT_BYTES = 128 * 1024 - 1

/** Input that cannot be passed to a program. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError'
  readonly code: Extract<ErrorCode, 'VALIDATION' | 'TOO_LARGE'>

  constructor(code: ArgumentError['code'], message: string) {
    super(message)
    this.code = code
  }
}

export interface Invocation {
  readonly args: readonly string[]
  readonly stdin: string | null
}

/**
 * Compiles the section into a function from a scope to an argument vector. A caller's value can only
 * become part of `--name=value`, follow `--`, or be unable to begin with a dash, so it can never act as an option.
 */
export function compileInvocation(
  section: CliCardSection,
  compiler: SectionCompiler,
): (scope: ExpressionScope) => Invocation {
  checkCommand(section.command, compiler)
  checkApiCommand(section, compiler)
  checkTable(section, compiler)
  const globals = compileOptions('global_options', section, compiler)
  const options = compileOptions('options', section, compiler)
  const positionals = compilePositionals(section, compiler)
  const stdin = section.stdin === undefined ? null : compiler.tree(section.stdin, ['stdin'])
  return scope => {
    const args = [...globals(scope), ...section.command, ...options(scope), ...positionals(scope)]
    args.forEach(checkArgument)
    const given = stdin && (section.keep_nulls ? stdin(scope) : withoutNullsDeep(stdin(scope)))
    return { args, stdin: given === null || given === undefined ? null : textOf(given) }
  }
}

type ArgumentBuilder = (scope: ExpressionScope) => string[]

function compileOptions(
  key: 'options' | 'global_options',
  section: CliCardSection,
  compiler: SectionCompiler,
): ArgumentBuilder {
  const options = Object.entries(section[key] ?? {}).map(([name, value]) => {
    checkOptionName(key, name, compiler)
    return [name, compiler.tree(value, [key, name])] as const
  })
  return scope => options.flatMap(([name, value]) => optionArguments(name, value(scope)))
}

function compilePositionals(section: CliCardSection, compiler: SectionCompiler): ArgumentBuilder {
  const { positionals = [], bare_positionals: isBare = false } = section
  if (isBare) checkBarePositionals(positionals, compiler)
  const expressions = positionals.map((text, index) =>
    compiler.expression(text, ['positionals', index]),
  )
  return scope => {
    const values = expressions.flatMap(value => positionalValues(value(scope)))
    if (!isBare) return values.length > 0 ? ['--', ...values] : []
    values.forEach(refuseDash)
    return values
  }
}

/** A member of the input as it is, or each of its items. */
const MEMBER = /^input\.(\w+)(?:\[\*?\])?$/
/** A text that is no option. */
const LITERAL = /^'(?!-)[^'\\]*'$/

/** Without `--`, only the schema of a value can tell that it is no option. */
function checkBarePositionals(positionals: readonly string[], compiler: SectionCompiler): void {
  const { properties = {} } = compiler.input ?? {}
  for (const [index, text] of positionals.entries()) {
    const [, name = ''] = MEMBER.exec(text) ?? []
    const schema = (properties as Readonly<Record<string, unknown>>)[name]
    if (LITERAL.test(text) || forbidsLeadingDash(schema)) continue
    compiler.problem(
      ['positionals', index],
      'may begin with a dash, and without "--" the program would take it for an option',
      'Pass a member of the input as it is, whose schema has a pattern such as "^(?!-)".',
    )
  }
}

function refuseDash(value: string): void {
  if (!value.startsWith('-')) return
  throw new ArgumentError(
    'VALIDATION',
    'A positional argument begins with a dash, so the program would take it for an option.',
  )
}

function checkTable({ parse = 'json', csv }: CliCardSection, compiler: SectionCompiler): void {
  if (csv === undefined || parse === 'csv') return
  compiler.problem(['csv'], `has no effect with parse: ${parse}`, 'Write parse: csv.')
}

function checkCommand(words: readonly string[], compiler: SectionCompiler): void {
  words.forEach((word, index) => {
    if (!word.includes('\0')) return
    compiler.problem(['command', index], 'contains a NUL character', 'Remove it.')
  })
}

/** Allows only long names: most programs read `-x=value` differently, and know no `--x`. */
function checkOptionName(key: string, name: string, compiler: SectionCompiler): void {
  if (/^[A-Za-z0-9][\w.-]+$/.test(name)) return
  compiler.problem(
    [key, name],
    'is not a long option name',
    'Write the long name without its dashes, e.g. "title" for --title.',
  )
}

function optionArguments(name: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(item => optionArguments(name, item))
  if (value === null || value === undefined || value === false) return []
  return value === true ? [`--${name}`] : [`--${name}=${textOf(value)}`]
}

function positionalValues(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(positionalValues)
  return value === null || value === undefined ? [] : [textOf(value)]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function checkArgument(argument: string): void {
  const name = /^--[\w.-]+(?==)/.exec(argument)?.[0] ?? 'an argument'
  if (argument.includes('\0')) {
    throw new ArgumentError(
      'VALIDATION',
      `The value of ${name} contains a NUL character, which a program argument cannot contain.`,
    )
  }
  if (!argument.isWellFormed()) {
    throw new ArgumentError('VALIDATION', `The value of ${name} is not valid Unicode.`)
  }
  const bytes = Buffer.byteLength(argument)
  if (bytes > MAX_ARGUMENT_BYTES) {
    throw new ArgumentError(
      'TOO_LARGE',
      `The value of ${name} is ${bytes} bytes long; a program argument may have at most ${MAX_ARGUMENT_BYTES}.`,
    )
  }
}
