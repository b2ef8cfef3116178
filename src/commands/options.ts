import type { SettingsFile } from '../gateway/config.ts'

/** Options that several commands share. */
export interface CommonOptions {
  readonly config?: string
  readonly capabilities?: string[]
  readonly host?: string
  readonly port?: number
}

/** The settings among the options. */
export function flagsOf({ capabilities, host, port }: CommonOptions): SettingsFile {
  return {
    ...(capabilities ? { capabilities } : {}),
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
  }
}
