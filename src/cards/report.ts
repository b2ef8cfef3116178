import type { ErrorObject } from 'ajv'
import type { Problem } from '../lib/problem.ts'
import type { KeyPath, SourceFile } from '../lib/yaml-source.ts'
import { describeError } from './validate.ts'

/** What a person should hear instead of the schema's own words, where something is known about a value. */
export type Explain = (path: KeyPath) => Pick<Problem, 'message' | 'fix'> | null

/** Turns schema errors of a file into problems with lines. `base` is where the checked value stands. */
export function reportSchemaErrors(
  source: SourceFile,
  base: KeyPath,
  errors: readonly ErrorObject[],
  problems: Problem[],
  explain: Explain = () => null,
): void {
  // A failed union reports each of its branches and then itself; only the last is of use to a person.
  const unions = errors.filter(error => error.keyword === 'anyOf').map(error => error.instancePath)
  for (const error of errors) {
    if (error.keyword !== 'anyOf' && unions.includes(error.instancePath)) continue
    const { path, message } = describeError(error)
    const full = [...base, ...(path ? path.split('.') : [])]
    problems.push({
      file: source.file,
      line: source.lineOf(full),
      message: `${full.join('.') || 'the file'} ${error.keyword === 'anyOf' ? 'has none of the allowed values' : message}`,
      fix: fixFor(error),
      ...explain(full),
    })
  }
}

function fixFor(error: ErrorObject): string {
  const parent = error.parentSchema as
    | { properties?: object; description?: string; anyOf?: { const?: unknown }[] }
    | undefined
  switch (error.keyword) {
    case 'additionalProperties':
      return `Remove it, or use one of: ${Object.keys(parent?.properties ?? {}).join(', ')}.`
    case 'required':
      return `Add "${error.params.missingProperty}".`
    case 'anyOf': {
      const allowed = (parent?.anyOf ?? [])
        .map(branch => branch.const)
        .filter(value => typeof value === 'string')
      return allowed.length > 0
        ? `Use one of: ${allowed.join(', ')}.`
        : 'See docs/cards.md for the form.'
    }
    default:
      return parent?.description ?? 'See docs/cards.md for the form of this key.'
  }
}
