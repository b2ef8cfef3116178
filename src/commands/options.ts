import cluster from 'node:cluster'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { loadSettings, type Settings, type SettingsFile } from '../gateway/config.ts'
import { describeUnknown, unknownVariables } from '../gateway/unknown-variables.ts'
import { readPackList, readWorkers, settingsFileOf } from '../gateway/variables.ts'
import type { Environment } from '../model/environment.ts'
import { ROUTES } from '../model/route.ts'
import { printError } from './output.ts'

/** Options that several commands share. */
export interface CommonOptions {
  readonly config?: string
  readonly packs?: string[]
  readonly capabilities?: string[]
  readonly host?: string
  readonly port?: number
  readonly workers?: number | 'auto'
}

/** Variables that this process has named. */
const named = new Set<string>()

/**
 * The settings of a command. Names variables that nothing reads on standard error, once; of several workers, the primary
 * process does.
 * @throws {SettingsError}
 */
export function readSettings(
  env: Environment,
  options: CommonOptions,
  defaults: SettingsFile = {},
): Settings {
  const settings = settingsOf(env, options, defaults)
  if (cluster.isWorker) return settings
  for (const name of unknownVariables(env, settings)) {
    if (!named.has(name)) printError(`warning: ${describeUnknown(name)}`)
    named.add(name)
  }
  return settings
}

/**
 * The same, without a word about variables.
 * @throws {SettingsError}
 */
export function settingsOf(
  env: Environment,
  options: CommonOptions,
  defaults: SettingsFile = {},
): Settings {
  return loadSettings(env, settingsFileOf(env, options.config), flagsOf(options), defaults)
}

function flagsOf({ packs, capabilities, host, port, workers }: CommonOptions): SettingsFile {
  return {
    ...(packs ? { packs } : {}),
    ...(capabilities ? { capabilities } : {}),
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(workers === undefined ? {} : { workers }),
  }
}

export function packsOption(): Option {
  return new Option('--packs <list>', 'shipped packs to load, e.g. one,other, or none').argParser(
    readPackList,
  )
}

export function withCommonOptions(command: Command): Command {
  return command
    .option('--config <file>', 'settings file (YAML)')
    .addOption(packsOption())
    .option('--capabilities <dir>', 'directory of cards; repeatable', collect)
}

export function withListenOptions(command: Command): Command {
  return withCommonOptions(command)
    .option('--host <address>', 'address to listen on')
    .option('--port <n>', 'port to listen on; 0 picks a free one', parseInteger)
}

export function workersOption(): Option {
  return new Option(
    '--workers <n>',
    'processes that answer requests at one address; auto: one for each core',
  ).argParser(readWorkers)
}

export function keyOption(): Option {
  return new Option('--key <name>', 'act as this gateway key (default: as the local operator)')
}

export function routeOption(): Option {
  return new Option('--route <route>', 'use this route only').choices(ROUTES)
}

/** Collects the values of a repeatable option. */
export function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value]
}

export function parseInteger(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('must be a whole number')
  return Number(text)
}

export function parsePositive(text: string): number {
  const number = parseInteger(text)
  if (number === 0) throw new InvalidArgumentError('must be 1 or more')
  return number
}

/** A command has no memory of its own: it uses that of the gateways whose state it shares. */
export function maxAgeOption(): Option {
  const meaning = 'take an answer that is younger from the memory in Redis'
  return new Option('--max-age-ms <n>', meaning).argParser(parseInteger)
}

export function staleOption(): Option {
  const meaning = 'if every route fails, take one that is older by less than this'
  return new Option('--stale-if-error-ms <n>', meaning).argParser(parseInteger)
}
