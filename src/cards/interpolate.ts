import { isObject } from '../lib/is-object.ts'
import type { SourceFile } from '../lib/yaml-source.ts'
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

/** Reports an unset variable instead of the malformed value that it leaves. */
export function explainUnset(source: SourceFile, env: Environment): Explain {
  return path => {
    const text = path.reduce<unknown>(
      (value, key) => (value as Record<string, unknown> | null)?.[key],
      source.value,
    )
    if (typeof text !== 'string') return null
    const name = [...text.matchAll(VARIABLE)].find(
      ([, variable, fallback]) => fallback === undefined && !env[variable ?? ''],
    )?.[1]
    if (name === undefined) return null
    return {
      message: `${path.join('.')} needs the variable ${name}, which is not set`,
      fix: `Set ${name}, or give it a default: \${${name}:-…}.`,
    }
  }
}
