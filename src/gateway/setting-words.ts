import { DEFAULT_PACKS } from '../cards/packs.ts'
import type { Explain } from '../cards/report.ts'
import { isObject } from '../lib/is-object.ts'

/** The kind of value that a setting takes. */
interface Form {
  readonly is: (value: unknown) => boolean
  /** The end of "it …". */
  readonly takes: string
  /** A line of the settings file that is right. */
  readonly example: string
}

/** Units of the settings whose names end like this, with an example. */
const UNITS: Readonly<Record<string, readonly [unit: string, example: number]>> = {
  _ms: ['milliseconds', 5000],
  _days: ['days', 7],
  _bytes: ['bytes', 67_108_864],
}

const FORMS: Readonly<Record<string, Form>> = {
  port: number('must be a number from 0 to 65535', 'port: 8080'),
  retries: number('must be a number from 0 to 10', 'retries: 2'),
  max_calls: number('must be a number of calls', 'max_calls: 2000'),
  // The schema takes more than one kind, so each fault of the value needs these words.
  workers: form(() => false, 'must be auto, or a number from 1 to 64', 'workers: 4'),
  keys: list('keys', '{ name: agent, secret_file: /run/secrets/agent }'),
  oidc: list('identity providers', '{ issuer: https://login.example.com, … }', 'oidc'),
  packs: list('packs', DEFAULT_PACKS.join(', ')),
  capabilities: list('directories', './cards', 'capabilities'),
  allowed_origins: list('origins', 'https://app.example.com', 'allowed_origins'),
  credentials: form(
    isObject,
    'must name upstreams, each with its credentials',
    'credentials: { github: { default: { env: GITHUB_TOKEN } } }',
  ),
}

/** A settings file as a whole. */
const FILE = form(isObject, 'must name settings', 'port: 8080')

/** Variables that hold JSON. A text that is left as it is could not be parsed. */
const JSON_SETTINGS: readonly string[] = ['oidc', 'credentials']

/** Says what a variable or a flag takes, as the end of "it …", if its value is of another kind; null for any other fault. */
export function wanted(setting: string, value: unknown): string | null {
  if (typeof value === 'string' && JSON_SETTINGS.includes(setting)) {
    return isJson(value) ? 'is JSON in quotes: leave them out' : 'is not valid JSON'
  }
  const known = formOf(setting)
  return known === null || known.is(value) ? null : known.takes
}

/** Says the same of the settings of a file. */
export function explainSettings(values: unknown): Explain {
  return ([setting, ...inside]) => {
    if (setting === undefined) return explained('the file', FILE)
    const known = inside.length > 0 ? null : formOf(String(setting))
    const value = Object.entries(values as object).find(([name]) => name === setting)?.[1]
    return known === null || known.is(value) ? null : explained(String(setting), known)
  }
}

function explained(what: string, { takes, example }: Form) {
  return {
    message: `${what} ${takes}`,
    fix: `Write it like this, without quotes around it: ${example}`,
  }
}

function formOf(setting: string): Form | null {
  const own = Object.entries(FORMS).find(([name]) => name === setting)?.[1]
  return own ?? formOfUnit(setting)
}

function formOfUnit(setting: string): Form | null {
  const found = Object.entries(UNITS).find(([end]) => setting.endsWith(end))
  if (found === undefined) return null
  const [unit, example] = found[1]
  const takes = `must be a number of ${unit} without a unit, such as ${example}`
  return number(takes, `${setting}: ${example}`)
}

function form(is: Form['is'], takes: string, example: string): Form {
  return { is, takes, example }
}

function number(takes: string, example: string): Form {
  return form(Number.isInteger, takes, example)
}

/** @param entries what they are */
function list(entries: string, example: string, setting = entries): Form {
  return form(Array.isArray, `must be a list of ${entries}`, `${setting}: [${example}]`)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
