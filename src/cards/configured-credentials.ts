import { PLACEHOLDER } from '../credentials/open.ts'
import { CredentialsSource } from '../credentials/schema.ts'
import { isObject } from '../lib/is-object.ts'
import type { Problem } from '../lib/problem.ts'
import { useOneOf } from '../lib/text.ts'
import type { KeyPath } from '../lib/yaml-source.ts'
import { reportSchemaErrors } from './report.ts'
import { compileSource } from './validate.ts'

/** Credentials of the settings: by upstream and name, a source, or one for each scheme. */
export type ConfiguredCredentials = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>
>

const SETTINGS = 'settings'

const check = compileSource(CredentialsSource)

/**
 * The credentials that the settings add to an upstream, in the form of its own. An upstream with one scheme needs no name
 * for it. Empty when they have faults.
 */
export function configuredFor(
  upstream: string,
  configured: ConfiguredCredentials,
  schemes: readonly string[],
  problems: Problem[],
): CredentialsSource {
  const own = Object.hasOwn(configured, upstream) ? configured[upstream] : undefined
  if (own === undefined) return {}
  const [only, second] = schemes
  if (only === undefined) {
    reportConfigured([upstream], 'has no place for a credential', 'Remove it.', problems)
    return {}
  }
  const full = Object.entries(own).map(([name, value]) => {
    const isWhole = second !== undefined || (isObject(value) && only in value)
    return [name, isWhole ? value : { [only]: value }] as const
  })
  const value = Object.fromEntries(full)
  const before = problems.length
  const source = { file: SETTINGS, value, lineOf: () => null }
  reportSchemaErrors(source, ['credentials', upstream], check(value), problems)
  return problems.length > before ? {} : (value as CredentialsSource)
}

/** Reports those of upstreams that are not there: a misspelt name would have no effect. */
export function reportUnknownUpstreams(
  configured: ConfiguredCredentials,
  upstreams: readonly string[],
  problems: Problem[],
): void {
  for (const name of Object.keys(configured)) {
    if (upstreams.includes(name)) continue
    const fix = useOneOf(upstreams, 'load its pack, or its directory of cards')
    reportConfigured([name], 'names no upstream that is loaded', fix, problems)
  }
}

/** @param path below `credentials` */
export function reportConfigured(
  path: KeyPath,
  message: string,
  fix: string,
  problems: Problem[],
): void {
  const shown = path.filter(key => key !== PLACEHOLDER)
  const text = `${['credentials', ...shown].join('.')} ${message}`
  problems.push({ file: SETTINGS, line: null, message: text, fix })
}
