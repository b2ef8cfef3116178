import { readFileSync } from 'node:fs'
import { type Static, Type } from '@sinclair/typebox'
import { Issuer } from '../access/issuer-schema.ts'
import { Key } from '../access/key-schema.ts'
import { DEFAULT_PACKS, PACKS } from '../cards/packs.ts'
import { reportSchemaErrors } from '../cards/report.ts'
import { compileSource, describeSchemaError } from '../cards/validate.ts'
import type { Problem } from '../lib/problem.ts'
import { formatProblem } from '../lib/problem.ts'
import { parseSource } from '../lib/yaml-source.ts'
import type { Environment } from '../model/environment.ts'
import { OneOf } from '../model/one-of.ts'
import { SettingsError } from '../model/settings-error.ts'
import { TraceUrl } from '../model/trace-url.ts'
import { assertJournal } from './journal-place.ts'
import { Days, Host, Milliseconds, MillisecondsOrNone, Origin, PublicUrl } from './setting-types.ts'
import { explainSettings, wanted } from './setting-words.ts'
import { assertSpelling } from './spelling.ts'
import { type Parse, readVariable, VARIABLE_NAMES, VARIABLES } from './variables.ts'
import { assertPatience } from './workers/watchdog.ts'

const Closed = { additionalProperties: false } as const
/** The settings file. Each setting also has an environment variable, which wins over the file. */
export const SettingsFile = Type.Object(
  {
    host: Type.Optional(Host),
    port: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 65535, description: '0 picks a free one.' }),
    ),
    keys: Type.Optional(Type.Array(Key, { description: 'Gateway keys: one for each caller.' })),
    oidc: Type.Optional(
      Type.Array(Issuer, { description: 'Identity providers whose tokens callers may send.' }),
    ),
    allowed_origins: Type.Optional(
      Type.Array(Origin, {
        description: 'Origins of web pages that may call, such as https://app.example.com.',
      }),
    ),
    public_url: Type.Optional(PublicUrl),
    packs: Type.Optional(
      Type.Array(OneOf(PACKS), { uniqueItems: true, description: 'Shipped packs to load.' }),
    ),
    capabilities: Type.Optional(
      Type.Array(Type.String(), { description: 'Directories of cards.' }),
    ),
    credentials: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Record(Type.String(), Type.Object({}, { additionalProperties: true })),
        { description: 'More credentials of upstreams: by upstream and name, its source.' },
      ),
    ),
    journal: Type.Optional(
      Type.String({
        description: 'Path of a SQLite file, :memory:, or postgres://user:password@host/database.',
      }),
    ),
    journal_payloads: Type.Optional(OneOf(['off', 'redacted'], 'off or redacted.')),
    journal_durability: Type.Optional(
      OneOf(['normal', 'full'], 'normal survives a crash, full also a loss of power.'),
    ),
    journal_spill: Type.Optional(Type.String({ minLength: 1 })),
    journal_days: Type.Optional(Days('How long to keep plain successes.')),
    journal_failure_days: Type.Optional(Days('How long to keep everything else.')),
    journal_max_bytes: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'For SQLite: above it, the oldest records go early; 0 for no limit.',
      }),
    ),
    audit_days: Type.Optional(Days('How long to keep the audit.')),
    state: Type.Optional(
      Type.String({
        pattern: '^(memory$|rediss?://)',
        description: 'memory, or redis://user:password@host:port for several gateways.',
      }),
    ),
    timeout_ms: Type.Optional(Milliseconds('Deadline of calls that set none.')),
    attempt_timeout_ms: Type.Optional(
      Milliseconds('Limit of one attempt while another route is left.'),
    ),
    retries: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 10, description: 'Retries on one route.' }),
    ),
    approval_ms: Type.Optional(
      // No timer waits for it.
      Type.Integer({
        minimum: 1,
        description: 'How long a call waits for a person, and an approval for its call.',
      }),
    ),
    trace_url: Type.Optional(TraceUrl),
    approval_webhook: Type.Optional(
      Type.String({
        pattern: '^$|^https?://',
        description: 'Address that is told of each call that waits for a person.',
      }),
    ),
    approval_webhook_secret: Type.Optional(
      Type.String({
        pattern: '^$|^(whsec_)?[A-Za-z0-9+/]{32,}={0,2}$',
        description: 'Signs these announcements: 24 bytes or more, in base64.',
      }),
    ),
    body_timeout_ms: Type.Optional(Milliseconds('For a request to arrive as a whole.')),
    idle_timeout_ms: Type.Optional(Milliseconds('For the next request of a connection to begin.')),
    max_calls: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The most calls that run at once.' }),
    ),
    max_event_loop_lag_ms: Type.Optional(
      Milliseconds('Calls are refused while work waits longer than this for its turn.'),
    ),
    drain_ms: Type.Optional(
      MillisecondsOrNone(
        'How long a stopping gateway still takes calls, after /readyz has said so.',
      ),
    ),
    shutdown_ms: Type.Optional(Milliseconds('For running calls to end, after the drain.')),
    max_held_bytes: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'The most bytes of answers held at once; 0 chooses by the memory.',
      }),
    ),
    kept_answers_max_bytes: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'The most bytes of answers kept for callers who ask for it; 0 keeps none.',
      }),
    ),
    workers: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: 64 }), Type.Literal('auto')], {
        description: 'Processes that answer requests at one address; auto: one for each core.',
      }),
    ),
    worker_silent_ms: Type.Optional(
      MillisecondsOrNone('How long a worker may answer nothing before it is replaced; 0 for ever.'),
    ),
    log_level: Type.Optional(
      OneOf(
        ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
        'trace, debug, info, warn, error, fatal or silent.',
      ),
    ),
  },
  Closed,
)
export type SettingsFile = Static<typeof SettingsFile>
export type Settings = Required<SettingsFile>

const DEFAULTS = {
  host: '127.0.0.1',
  port: 8080,
  keys: [],
  oidc: [],
  allowed_origins: [],
  public_url: '',
  packs: [...DEFAULT_PACKS],
  capabilities: [],
  credentials: {},
  journal: 'data/journal.sqlite',
  journal_payloads: 'off',
  journal_durability: 'normal',
  journal_spill: 'data/journal-spill.jsonl',
  journal_days: 7,
  journal_failure_days: 30,
  journal_max_bytes: 0,
  audit_days: 365,
  state: 'memory',
  timeout_ms: 30_000,
  attempt_timeout_ms: 10_000,
  retries: 2,
  approval_ms: 3_600_000,
  trace_url: '',
  approval_webhook: '',
  approval_webhook_secret: '',
  body_timeout_ms: 30_000,
  idle_timeout_ms: 72_000,
  max_calls: 2000,
  max_event_loop_lag_ms: 1000,
  drain_ms: 0,
  shutdown_ms: 35_000,
  max_held_bytes: 0,
  kept_answers_max_bytes: 64 * 1024 * 1024,
  workers: 1,
  worker_silent_ms: 30_000,
  log_level: 'info',
} satisfies Settings

const variables: Readonly<Record<keyof Settings, readonly [string, Parse]>> = VARIABLES

const checkFile = compileSource(SettingsFile)

/**
 * Merges the defaults, the file, the environment and the flags; later ones win.
 * @param defaults a command's own defaults
 * @throws {SettingsError} for an invalid setting.
 */
export function loadSettings(
  env: Environment,
  file: string | null,
  flags: SettingsFile = {},
  defaults: SettingsFile = {},
): Settings {
  const fromFile = file === null ? {} : readSettings(file)
  for (const [setting, value] of Object.entries(flags)) assertUsable(`--${setting}`, setting, value)
  const settings = { ...DEFAULTS, ...defaults, ...fromFile, ...readVariables(env), ...flags }
  assertJournal(settings.journal)
  assertPatience(settings.worker_silent_ms)
  return settings
}

function readSettings(file: string): SettingsFile {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new SettingsError(
      `the settings file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}). ` +
        'Name a YAML file that exists in --config or SIGNALBOX_CONFIG, or leave them out.',
      { cause: error },
    )
  }
  const source = parseSource(file, text)
  if (!('value' in source)) throw new SettingsError(formatProblem(source))
  const problems: Problem[] = []
  const values = source.value ?? {}
  reportSchemaErrors(source, [], checkFile(values), problems, explainSettings(values))
  if (problems.length > 0) throw new SettingsError(problems.map(formatProblem).join('\n'))
  return values as SettingsFile
}

function readVariables(env: Environment): SettingsFile {
  const found: Record<string, unknown> = {}
  assertSpelling(env, VARIABLE_NAMES)
  for (const [setting, [variable, parse]] of Object.entries(variables)) {
    const given = readVariable(env, variable)
    if (given === null) continue
    const value: unknown = parse(given.text, given.source)
    assertUsable(given.source, setting, value)
    found[setting] = value
  }
  return found
}

/** Does not show the value, as it may hold a secret. To compile the check of all settings would take longer. */
function assertUsable(source: string, setting: string, value: unknown): void {
  const check = compileSource(Type.Pick(SettingsFile, [setting]))
  const [error] = check({ [setting]: value })
  if (!error) return
  const { path, message } = describeSchemaError(error)
  const place = path === setting ? 'it' : nameEntry(path.slice(setting.length + 1))
  throw new SettingsError(`${source} is not usable: ${place} ${wanted(setting, value) ?? message}.`)
}

/** `0` is entry 1 for people. */
function nameEntry(path: string): string {
  return /^\d+$/.test(path) ? `entry ${Number(path) + 1}` : path
}
