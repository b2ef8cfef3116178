import { type Settings } from '../gateway/config.ts'
import { VARIABLES } from '../gateway/variables.ts'
import { redactText } from '../lib/redact.ts'
import type { Environment } from '../model/environment.ts'
import { type CommonOptions, readSettings } from './options.ts'
import { print, printJson } from './output.ts'

export interface ConfigOptions extends CommonOptions {
  readonly json?: boolean
}

/** Prints the settings that `serve` would have with these options and variables, without secrets. */
export function config(options: ConfigOptions, env: Environment = process.env): void {
  const settings = presentable(readSettings(env, options))
  if (options.json) return printJson(settings)
  for (const [name, value] of Object.entries(settings)) {
    const [variable] = VARIABLES[name as keyof Settings]
    print(`${name}: ${JSON.stringify(value)}  # ${variable}`)
  }
}

const HIDDEN = '[hidden]'

/** Keys keep their names and permissions; addresses lose their passwords. */
function presentable(settings: Settings): Settings {
  const hide = <T>(value: T) => (typeof value === 'string' ? (redactText(value) as T) : value)
  const plain = Object.entries(settings).map(([name, value]) => [name, hide(value)])
  const keys = settings.keys.map(key => ({
    ...key,
    ...(key.secret === undefined ? {} : { secret: HIDDEN }),
    ...(key.secret_sha256 === undefined ? {} : { secret_sha256: HIDDEN }),
  }))
  const webhookSecret = settings.approval_webhook_secret === '' ? '' : HIDDEN
  return {
    ...(Object.fromEntries(plain) as Settings),
    keys,
    approval_webhook: withoutPath(settings.approval_webhook),
    approval_webhook_secret: webhookSecret,
  }
}

/** The webhooks of chats carry their secret in the path or in the query. */
function withoutPath(address: string): string {
  if (address === '') return ''
  const url = URL.parse(address)
  if (url === null) return HIDDEN
  return url.pathname === '/' && url.search === '' ? url.origin : `${url.origin}/${HIDDEN}`
}
