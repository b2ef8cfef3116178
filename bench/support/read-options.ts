import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** An option of a bench. */
export interface Option<T extends number | boolean | string = number | boolean | string> {
  /** Its value when it is not given; its kind is that of the option. */
  readonly value: T
  readonly help: string
  /** The least that a number may be. @default 1 */
  readonly least?: number
  /** The words that a text may have, separated by commas. */
  readonly words?: readonly string[]
}

type Options = Readonly<Record<string, Option>>

type Kind<T> = T extends number ? number : T extends boolean ? boolean : string
export type Values<T extends Options> = { readonly [K in keyof T]: Kind<T[K]['value']> }

/** The call of a person, in a text that they can mend. */
class UsageError extends Error {
  override readonly name = 'UsageError'
}

export interface Usage<T extends Options> {
  /** As a person calls it: `npm run bench:crowd`. */
  readonly command: string
  /** A sentence about what it measures. */
  readonly about: string
  readonly options: T
  /** Words without dashes that it takes. @default none */
  readonly words?: readonly string[]
}

/** Reads the arguments of this process. Ends it for `--help`, and with exit code 2 for arguments that make no sense. */
export function readOptions<T extends Options>(
  usage: Usage<T>,
): { readonly values: Values<T>; readonly words: readonly string[] } {
  return orRefuse(usage.command, () => {
    const read = parse(usage, process.argv.slice(2))
    if (read !== null) return read
    process.stdout.write(helpOf(usage))
    process.exit(0)
  })
}

/** Ends this process with exit code 2 and one line if the arguments make no sense. */
export function orRefuse<T>(command: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!isUsage(error)) throw error
    // The library goes on about words that begin with a dash.
    const [problem] = error.message.split('. ')
    const dashes = command.startsWith('npm ') ? ' -- --help' : ' --help'
    console.error(`${problem}\n${command}${dashes} lists the options.`)
    process.exit(2)
  }
}

function isUsage(error: unknown): error is Error {
  if (error instanceof UsageError) return true
  return error instanceof TypeError && 'code' in error && /PARSE_ARGS/.test(String(error.code))
}

/** @returns null when the arguments ask for help. */
export function parse<T extends Options>(
  { options, words: known = [] }: Usage<T>,
  args: readonly string[],
): { readonly values: Values<T>; readonly words: readonly string[] } | null {
  const declared = Object.entries(options).map(([name, { value }]) => [
    name,
    { type: typeof value === 'boolean' ? 'boolean' : 'string' } as const,
  ])
  const { values: given, positionals: words } = parseArgs({
    args: [...args],
    allowPositionals: known.length > 0,
    options: Object.fromEntries([...declared, ['help', { type: 'boolean' }]]),
  })
  if ('help' in given && given.help) return null
  checkWords('the word', words, known)
  const values = Object.entries(options).map(([name, option]) => [
    name,
    valueOf(name, option, (given as Readonly<Record<string, string | boolean>>)[name]),
  ])
  return { values: Object.fromEntries(values) as Values<T>, words }
}

function valueOf(name: string, option: Option, given: string | boolean | undefined) {
  if (given === undefined) return option.value
  if (typeof given === 'boolean') return given
  if (typeof option.value === 'number') return numberIn(`--${name}`, given, option.least)
  if (option.words) checkWords(`--${name}`, given.split(','), option.words)
  return given
}

/** @throws {UsageError} unless the text is a number that is large enough */
export function numberIn(name: string, text: string, least = 1): number {
  const value = Number(text)
  if (text.trim() !== '' && value >= least && Number.isFinite(value)) return value
  throw new UsageError(`${name} must be a number of at least ${least}, not ${JSON.stringify(text)}`)
}

function checkWords(name: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.find(word => !known.includes(word))
  if (unknown === undefined) return
  throw new UsageError(`${name} cannot be ${JSON.stringify(unknown)}: use ${known.join(', ')}`)
}

/** @throws {UsageError} with this problem */
export function refuse(problem: string): never {
  throw new UsageError(problem)
}

/**
 * The checkout to compare with, which needs its own `npm ci`.
 * @throws {UsageError} if there is none
 */
export function checkoutAt(directory: string): string {
  const checkout = resolve(directory)
  for (const part of ['src/signalbox.ts', 'node_modules']) {
    if (!existsSync(join(checkout, part))) refuse(`--against ${directory} has no ${part}`)
  }
  return checkout
}

function helpOf({ command, about, options, words = [] }: Usage<Options>): string {
  const rest = words.length > 0 ? ` [${words.join(' | ')} …]` : ''
  const dashes = command.startsWith('npm ') ? ' --' : ''
  const rows = [
    ...Object.entries(options).map(([name, { value, help, words: own = [] }]) => [
      `--${name}${typeof value === 'boolean' ? '' : own.length > 0 ? ` ${own.join(',')}` : ' <value>'}`,
      value === false || value === '' || value === 0 ? help : `${help} (${String(value)})`,
    ]),
    ['--help', 'show this text'],
  ]
  const width = Math.max(...rows.map(([option = '']) => option.length))
  const lines = rows.map(([option = '', help]) => `  ${option.padEnd(width)}  ${help}`)
  return `${command}${dashes} [options]${rest}\n\n${about}\n\n${lines.join('\n')}\n`
}
