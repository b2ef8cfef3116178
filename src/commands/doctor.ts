import type { LoadResult } from '../cards/load.ts'
import { loadSettings, type Settings } from '../gateway/config.ts'
import { isSecretName, redactText } from '../lib/redact.ts'
import type { Environment } from '../model/environment.ts'
import { SettingsError } from '../model/settings-error.ts'
import { checkCollector } from '../tools/doctor/collector.ts'
import { checkJournal, checkState } from '../tools/doctor/durable.ts'
import { type Finding, fail, findAll } from '../tools/doctor/finding.ts'
import { checkAddress, checkNode, checkTemporaryDirectory } from '../tools/doctor/machine.ts'
import { checkParts } from '../tools/doctor/parts.ts'
import { checkCards, loadCards, upstreamChecks } from '../tools/doctor/upstreams.ts'
import { type CommonOptions, flagsOf } from './options.ts'

export interface DoctorOptions extends CommonOptions {
  readonly json?: boolean
}

/** Says what `serve` would miss on this machine; the exit code is 0 if it would start. */
export async function doctor(options: DoctorOptions): Promise<void> {
  const findings = await diagnose(options, process.env)
  const starts = findings.every(({ level }) => level !== 'fail')
  const text = options.json
    ? `${JSON.stringify({ ok: starts, findings }, null, 2)}\n`
    : `${findings.map(toLine).join('\n')}\n${conclusion(findings)}\n`
  process.stdout.write(text)
  process.exitCode = starts ? 0 : 1
}

/** What `serve` would meet with these options and variables. Nothing is left behind that was not there. */
export async function diagnose(
  options: CommonOptions,
  env: Environment,
): Promise<readonly Finding[]> {
  let settings: Settings
  try {
    settings = loadSettings(env, options.config ?? null, flagsOf(options))
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    // Without settings, little else can be looked at.
    const found = [fail('settings', error.message, null), ...checkTemporaryDirectory()]
    return [...checkNode(), ...found].map(finding => presentable(finding, []))
  }
  const loaded = loadCards(settings, env)
  try {
    const found = await findAll(checksFor(settings, env, loaded))
    return found.map(finding => presentable(finding, secretsOf(settings, env)))
  } finally {
    await loaded.close()
  }
}

/** In the order in which they are told. */
function checksFor(settings: Settings, env: Environment, loaded: LoadResult) {
  return {
    node: checkNode,
    cards: () => checkCards(loaded),
    address: () => checkAddress(settings),
    journal: () => checkJournal(settings),
    state: () => checkState(settings),
    traces: () => checkCollector(env),
    'temporary files': checkTemporaryDirectory,
    ...upstreamChecks(loaded, env),
    tests: checkParts,
  }
}

/** In one line, and without what is secret, should the words of a library hold any of it. */
function presentable({ message, fix, ...finding }: Finding, secrets: readonly string[]): Finding {
  const clean = (text: string) => redactText(text.replace(/\s*\n\s*/g, ' '), secrets)
  return { ...finding, message: clean(message), fix: fix === null ? null : clean(fix) }
}

/** Passwords in addresses are blanked by their form. */
function secretsOf({ keys }: Settings, env: Environment): readonly string[] {
  const named = Object.entries(env).filter(([name]) => isSecretName(name))
  return [...keys.map(({ secret }) => secret), ...named.flatMap(([, value]) => value ?? [])]
}

function toLine({ level, part, message, fix }: Finding): string {
  return `${level.padEnd(4)}  ${part}: ${message}${fix === null ? '' : ` — ${fix}`}`
}

function conclusion(findings: readonly Finding[]): string {
  const count = (level: Finding['level']) => findings.filter(found => found.level === level).length
  const starts = count('fail') === 0 ? 'The gateway would start' : 'The gateway would not start'
  return `${starts}: ${count('fail')} failed, ${count('warn')} to look at.`
}
