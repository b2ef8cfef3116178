import { isObject } from '../lib/is-object.ts'
import type { KeyPath, SourceFile } from '../lib/yaml-source.ts'
import type { Environment } from '../model/environment.ts'
import type { Explain } from './report.ts'

/** `${NAME}`, or `${NAME:-default}`. */
const VARIABLE = /\$\{([A-Z_][A-Z0-9_]*)(?::-([^}]*))?\}/g

/**
 * Fills in `${NAME}` and `${NAME:-default}` from the environment, in every string. `${credential}` stays for the
 * adapter: it differs from call to call.
 */
export function interpolate(value: unknown, env: Environment): unknown {
  if (typeof value === 'string') {
    return value.replace(
      VARIABLE,
      (_, name: string, fallback?: string) => env[name] || (fallback ?? ''),
    )
  }
  if (Array.isArray(value)) return value.map(item => interpolate(item, env))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, interpolate(item, env)]),
  )
}

/** `${token}` stands for nothing: the service would get it as it is written. */
const OTHER = /\$\{(?!credential[.}])[^}]*\}/

/** Reports what looks like a variable, but is none, in a section that says how to reach the service. */
export function reportUnfilled(value: unknown, path: KeyPath, report: ReportAt): void {
  if (typeof value === 'string') {
    const [written] = OTHER.exec(value.replace(VARIABLE, '')) ?? []
    if (written === undefined) return
    const fix =
      'Write the name of a variable in capitals, such as ${TOKEN}, or ${credential} for the credential of the call.'
    report(path, `has ${written}, which is no variable`, fix)
  } else if (isObject(value) || Array.isArray(value)) {
    for (const [key, item] of Object.entries(value)) reportUnfilled(item, [...path, key], report)
  }
}

type ReportAt = (path: KeyPath, message: string, fix: string) => void

/** Names the variable that leaves a malformed value: one that is not set, or one that is set to it. */
export function explainVariables(source: SourceFile, env: Environment): Explain {
  return path => {
    const text = path.reduce<unknown>(
      (value, key) => (value as Record<string, unknown> | null)?.[key],
      source.value,
    )
    if (typeof text !== 'string') return null
    const names = [...text.matchAll(VARIABLE)]
    const name = names.find(
      ([, variable, fallback]) => fallback === undefined && !env[variable ?? ''],
    )?.[1]
    if (name === undefined)
      return explainSet(
        path,
        names.map(([, variable = '']) => variable).filter(one => env[one]),
      )
    return {
      message: `${path.join('.')} needs the variable ${name}, which is not set`,
      fix: `Set ${name}, or give it a default: \${${name}:-…}.`,
    }
  }
}

/** Shows no value, which may hold a secret. */
function explainSet(path: KeyPath, names: readonly string[]): ReturnType<Explain> {
  if (names.length === 0) return null
  const [all, they] = [names.join(' and '), names.length === 1 ? 'it' : 'them']
  return {
    message: `${path.join('.')} does not have the right form with the value of ${all}`,
    fix: `Correct ${all}, or unset ${they}. An address begins with https:// or http://.`,
  }
}
