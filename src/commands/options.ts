import { Option } from 'commander'
import { readPackList, type SettingsFile } from '../gateway/config.ts'

/** Options that several commands share. */
export interface CommonOptions {
  readonly config?: string
  readonly packs?: string[]
  readonly capabilities?: string[]
  readonly host?: string
  readonly port?: number
}

/** The settings among the options. */
export function flagsOf({ packs, capabilities, host, port }: CommonOptions): SettingsFile {
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
