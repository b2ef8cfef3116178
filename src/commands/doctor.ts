import type { LoadResult } from '../cards/load.ts'
import { type Settings } from '../gateway/config.ts'
import { describeUnknown, unknownVariables } from '../gateway/unknown-variables.ts'
import { isSecretName, redactText } from '../lib/redact.ts'
import { counted } from '../lib/text.ts'
import type { Environment } from '../model/environment.ts'
import { SettingsError } from '../model/settings-error.ts'
import { checkCollector } from '../tools/doctor/collector.ts'
import { checkJournal, checkState } from '../tools/doctor/durable.ts'
import { type Finding, fail, findAll, warn } from '../tools/doctor/finding.ts'
import { checkIdentityProviders } from '../tools/doctor/identity-providers.ts'
import { checkKeys } from '../tools/doctor/keys.ts'
import { checkAddress, checkNode, checkTemporaryDirectory } from '../tools/doctor/machine.ts'
import { checkParts } from '../tools/doctor/parts.ts'
import { checkCards, loadCards, upstreamChecks } from '../tools/doctor/upstreams.ts'
import { type CommonOptions, settingsOf } from './options.ts'
import { print, printJson } from './output.ts'

export interface DoctorOptions extends CommonOptions {
  readonly json?: boolean
}

/** Reports what `serve` would lack on this machine. The exit code is 0 if it would start. */
export async function doctor(options: DoctorOptions): Promise<void> {
  const findings = await diagnose(options, process.env)
  const starts = findings.every(({ level }) => level !== 'fail')
  if (options.json) printJson({ ok: starts, findings })
  else print([...findings.map(toLine), conclusion(findings)].join('\n'))
  process.exitCode = starts ? 0 : 1
}

/** Checks what `serve` needs with these options and variables. Leaves nothing behind. */
export async function diagnose(
  options: CommonOptions,
  env: Environment,
): Promise<readonly Finding[]> {
  let settings: Settings
  try {
    settings = settingsOf(env, options)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    // The other checks need the settings.
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

/** The checks, in the order of the output. */
function checksFor(settings: Settings, env: Environment, loaded: LoadResult) {
  return {
    node: checkNode,
    variables: () => checkVariables(settings, env),
    cards: () => checkCards(loaded),
    address: () => checkAddress(settings),
    keys: () => checkKeys(settings, loaded),
    'identity provider': () => checkIdentityProviders(settings),
    journal: () => checkJournal(settings),
    state: () => checkState(settings),
    traces: () => checkCollector(env),
    'temporary files': checkTemporaryDirectory,
    ...upstreamChecks(loaded),
    tests: checkParts,
  }
}

function checkVariables(settings: Settings, env: Environment): readonly Finding[] {
  const fix = 'Unset it, or look for the right name in docs/settings.md.'
  return unknownVariables(env, settings).map(name => warn('variables', describeUnknown(name), fix))
}

/** Puts a finding on one line, and removes secrets, because a library's error message may contain some. */
function presentable({ message, fix, ...finding }: Finding, secrets: readonly string[]): Finding {
  const clean = (text: string) => redactText(text.replace(/\s*\n\s*/g, ' '), secrets)
  return { ...finding, message: clean(message), fix: fix === null ? null : clean(fix) }
}

/** A path is no secret, and a person needs it to mend what is there. Each shell sets PWD, which is also short for password. */
const NAME_OF_A_PATH = /_(?:FILE|PATH|DIR)$|^(?:OLD)?PWD$/

/** The secrets to remove by value. `redactText` finds passwords in addresses by itself. */
function secretsOf({ keys }: Settings, env: Environment): readonly string[] {
  const named = Object.entries(env).filter(
    ([name]) => isSecretName(name) && !NAME_OF_A_PATH.test(name),
  )
  return [
    ...keys.flatMap(({ secret }) => secret ?? []),
    ...named.flatMap(([, value]) => value ?? []),
  ]
}

function toLine({ level, part, message, fix }: Finding): string {
  return `${level.padEnd(4)}  ${part}: ${message}${fix === null ? '' : ` — ${fix}`}`
}

function conclusion(findings: readonly Finding[]): string {
  const count = (level: Finding['level']) => findings.filter(found => found.level === level).length
  const starts = count('fail') === 0 ? 'The gateway would start' : 'The gateway would not start'
  return `${starts}: ${counted(count('fail'), 'failure')}, ${counted(count('warn'), 'warning')}.`
}
