import type { SectionCompiler } from '../../src/model/adapter.ts'
import type { CliCardSection } from './schema.ts'

/** Linux refuses a single argument of 128 KiB, its terminating NUL included (MAX_ARG_STRLEN). */
const MAX_ARGUMENT_BYTES = 128 * 1024 - 1

/** Input that cannot be handed to a program. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError'
  readonly code: 'VALIDATION' | 'TOO_LARGE'

  constructor(code: ArgumentError['code'], message: string) {
    super(message)
    this.code = code
  }
}

export interface Invocation {
  readonly args: readonly string[]
  readonly stdin: string | null
}

type Scope = Readonly<Record<string, unknown>>

/**
 * Compiles the section into a function from a scope to an argument vector. A value of the caller can
 * only end up inside `--name=value` or behind `--`, so it can never become an option of its own.
 */
export function compileInvocation(
  section: CliCardSection,
  compiler: SectionCompiler,
): (scope: Scope) => Invocation {
  checkCommand(section.command, compiler)
  const options = Object.entries(section.options ?? {}).map(([name, value]) => {
    checkOptionName(name, compiler)
    return [name, compiler.tree(value, ['options', name])] as const
  })
  const positionals = (section.positionals ?? []).map((text, index) =>
    compiler.expression(text, ['positionals', index]),
  )
  const stdin = section.stdin === undefined ? null : compiler.tree(section.stdin, ['stdin'])
  return scope => {
    const values = positionals.flatMap(value => positionalValues(value(scope)))
    const args = [
      ...section.command,
      ...options.flatMap(([name, value]) => optionArguments(name, value(scope))),
      ...(values.length > 0 ? ['--', ...values] : []),
    ]
    args.forEach(checkArgument)
    const given = stdin && (section.keep_nulls ? stdin(scope) : withoutNulls(stdin(scope)))
    return { args, stdin: given === null || given === undefined ? null : textOf(given) }
  }
}

function checkCommand(words: readonly string[], compiler: SectionCompiler): void {
  words.forEach((word, index) => {
    if (!word.includes('\0')) return
    compiler.problem(['command', index], 'holds a NUL character', 'Remove it.')
  })
}

/** `-x=value` means something else to most programs, and `--x` is no option of theirs. */
function checkOptionName(name: string, compiler: SectionCompiler): void {
  if (/^[A-Za-z0-9][\w.-]+$/.test(name)) return
  compiler.problem(
    ['options', name],
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

/**
 * An input that was not given is null to an expression, and should be absent to the service, where null
 * may mean "clear this". In depth, since the variables of a GraphQL request are members of a member.
 */
function withoutNulls(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null && member !== undefined)
      .map(([key, member]) => [key, withoutNulls(member)]),
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function checkArgument(argument: string): void {
  const name = /^--[\w.-]+(?==)/.exec(argument)?.[0] ?? 'an argument'
  if (argument.includes('\0')) {
    throw new ArgumentError(
      'VALIDATION',
      `The value of ${name} holds a NUL character, which no program can be given.`,
    )
  }
  if (!argument.isWellFormed()) {
    throw new ArgumentError('VALIDATION', `The value of ${name} is not valid Unicode.`)
  }
  const bytes = Buffer.byteLength(argument)
  if (bytes > MAX_ARGUMENT_BYTES) {
    throw new ArgumentError(
      'TOO_LARGE',
      `The value of ${name} is ${bytes} bytes long; an argument of a program ends at ${MAX_ARGUMENT_BYTES}.`,
    )
  }
}
