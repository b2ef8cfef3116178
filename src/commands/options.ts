import { Option } from 'commander'
import { loadSettings, type Settings, type SettingsFile } from '../gateway/config.ts'
import { readPackList, settingsFileOf } from '../gateway/variables.ts'
import type { Environment } from '../model/environment.ts'

/** Options that several commands share. */
export interface CommonOptions {
  readonly config?: string
  readonly packs?: string[]
  readonly capabilities?: string[]
  readonly host?: string
  readonly port?: number
}

/**
 * The settings of a command.
 * @throws {SettingsError}
 */
export function readSettings(
  env: Environment,
  options: CommonOptions,
  defaults: SettingsFile = {},
): Settings {
  return loadSettings(env, settingsFileOf(env, options.config), flagsOf(options), defaults)
}

function flagsOf({ packs, capabilities, host, port }: CommonOptions): SettingsFile {
  return {
    ...(packs ? { packs } : {}),
    ...(capabilities ? { capabilities } : {}),
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
  }
}

export function packsOption(): Option {
  return new Option('--packs <list>', 'shipped packs to load, e.g. one,other, or none').argParser(
    readPackList,
  )
}
