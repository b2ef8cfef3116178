import { readFileSync } from 'node:fs'
import { parseKeys } from '../access/parse-keys.ts'
import type { Environment } from '../model/environment.ts'
import { SettingsError } from '../model/settings-error.ts'

/** @param source names the variable, and the file that it names, in messages */
export type Parse = (text: string, source: string) => unknown

/** The environment variable of each setting, and the function that parses its text. */
export const VARIABLES = {
  host: ['HOST', text => text],
  port: ['PORT', Number],
  keys: ['SIGNALBOX_KEYS', parseKeys],
  oidc: ['SIGNALBOX_OIDC', readJson],
  allowed_origins: ['SIGNALBOX_ALLOWED_ORIGINS', splitList],
  public_url: ['SIGNALBOX_PUBLIC_URL', text => text],
  packs: ['SIGNALBOX_PACKS', readPackList],
  capabilities: ['SIGNALBOX_CAPABILITIES', text => text.split(':').filter(Boolean)],
  credentials: ['SIGNALBOX_CREDENTIALS', readJson],
  journal: ['SIGNALBOX_JOURNAL', text => text],
  journal_payloads: ['SIGNALBOX_JOURNAL_PAYLOADS', text => text],
  journal_durability: ['SIGNALBOX_JOURNAL_DURABILITY', text => text],
  journal_spill: ['SIGNALBOX_JOURNAL_SPILL', text => text],
  journal_days: ['SIGNALBOX_JOURNAL_DAYS', Number],
  journal_failure_days: ['SIGNALBOX_JOURNAL_FAILURE_DAYS', Number],
  journal_max_bytes: ['SIGNALBOX_JOURNAL_MAX_BYTES', Number],
  audit_days: ['SIGNALBOX_AUDIT_DAYS', Number],
  state: ['SIGNALBOX_STATE', text => text],
  timeout_ms: ['SIGNALBOX_TIMEOUT_MS', Number],
  attempt_timeout_ms: ['SIGNALBOX_ATTEMPT_TIMEOUT_MS', Number],
  retries: ['SIGNALBOX_RETRIES', Number],
  approval_ms: ['SIGNALBOX_APPROVAL_MS', Number],
  trace_url: ['SIGNALBOX_TRACE_URL', text => text],
  approval_webhook: ['SIGNALBOX_APPROVAL_WEBHOOK', text => text],
  approval_webhook_secret: ['SIGNALBOX_APPROVAL_WEBHOOK_SECRET', text => text],
  body_timeout_ms: ['SIGNALBOX_BODY_TIMEOUT_MS', Number],
  idle_timeout_ms: ['SIGNALBOX_IDLE_TIMEOUT_MS', Number],
  max_calls: ['SIGNALBOX_MAX_CALLS', Number],
  max_event_loop_lag_ms: ['SIGNALBOX_MAX_EVENT_LOOP_LAG_MS', Number],
  drain_ms: ['SIGNALBOX_DRAIN_MS', Number],
  shutdown_ms: ['SIGNALBOX_SHUTDOWN_MS', Number],
  max_held_bytes: ['SIGNALBOX_MAX_HELD_BYTES', Number],
  kept_answers_max_bytes: ['SIGNALBOX_KEPT_ANSWERS_MAX_BYTES', Number],
  workers: ['SIGNALBOX_WORKERS', readWorkers],
  worker_silent_ms: ['SIGNALBOX_WORKER_SILENT_MS', Number],
  log_level: ['SIGNALBOX_LOG_LEVEL', text => text],
} as const satisfies Record<string, readonly [string, Parse]>

/** Returns a text that is no JSON as it is: the check of its setting reports it. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Settings that may hold a secret: a file can hold their text, named by `SIGNALBOX_KEYS_FILE` and so on. */
const SECRET_VARIABLES: readonly string[] = [
  VARIABLES.keys[0],
  VARIABLES.journal[0],
  VARIABLES.state[0],
  VARIABLES.approval_webhook_secret[0],
]

/** The variable that names the settings file. */
const CONFIG = 'SIGNALBOX_CONFIG'

/** The names of all variables. */
export const VARIABLE_NAMES: readonly string[] = [
  CONFIG,
  ...Object.values(VARIABLES).map(([name]) => name),
  ...SECRET_VARIABLES.map(fileVariable),
]

function fileVariable(name: string): string {
  return `${name}_FILE`
}

/** The settings file: that of the option, else that of the environment; null for none. */
export function settingsFileOf(env: Environment, option: string | undefined): string | null {
  return option ?? (env[CONFIG] || null)
}

/** The text of a variable, and where it stands, for messages. */
export interface VariableText {
  readonly text: string
  readonly source: string
}

/**
 * The text of a variable, or of the file that a secret one names; null when it is unset or empty.
 * @throws {SettingsError} for a file that cannot be read or is empty, and for a variable that is set both ways.
 */
export function readVariable(env: Environment, name: string): VariableText | null {
  const text = env[name] || null
  const file = SECRET_VARIABLES.includes(name) ? env[fileVariable(name)] || null : null
  if (file === null) return text === null ? null : { text, source: name }
  if (text !== null) {
    throw new SettingsError(`Set one of ${name} and ${fileVariable(name)}, not both.`)
  }
  return {
    text: readSecret(fileVariable(name), file),
    source: `${fileVariable(name)} (${file})`,
  }
}

/** An empty file is a secret that did not arrive: taken as unset, it would open the gateway, or keep no journal. */
function readSecret(variable: string, file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new SettingsError(`${variable} names ${file}, which cannot be read (${code}).`)
  }
  if (text !== '') return text
  throw new SettingsError(`${variable} names ${file}, which is empty.`)
}

/** A number, or `auto`. */
export function readWorkers(text: string): number | 'auto' {
  return text === 'auto' ? text : Number(text)
}

/** An empty variable counts as unset, so the empty list has a name. */
export function readPackList(text: string): string[] {
  return text.trim() === 'none' ? [] : splitList(text)
}

function splitList(text: string): string[] {
  return text.split(',').map(one => one.trim())
}
