import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import {
  compileExpression,
  compileTree,
  ExpressionError,
  type ExpressionNames,
} from '../expressions/expression.ts'
import { messageOf } from '../lib/message-of.ts'
import type { Problem } from '../lib/problem.ts'
import type { KeyPath, SourceFile } from '../lib/yaml-source.ts'
import type { SectionCompiler } from '../model/adapter.ts'
import type { Expression } from '../model/expression.ts'
import type { Effect } from '../model/route.ts'
import { reportProblem } from './report.ts'

export interface SectionOptions {
  readonly source: SourceFile
  /** Keys from the file's root to the section. */
  readonly base: KeyPath
  readonly effect: Effect | null
  /** The names in scope; null when they depend on the upstream's data, so that none can be checked. */
  readonly names: ExpressionNames | null
  /** Texts that every scope also holds, as `constants`. @default none */
  readonly constants?: Readonly<Record<string, string>>
  readonly problems: Problem[]
}

/** Compiles the parts of one section. Collects all problems with their lines, instead of stopping at the first. */
export function createSectionCompiler(options: SectionOptions): SectionCompiler {
  const { source, base, problems } = options
  const problem: SectionCompiler['problem'] = (path, message, fix) => {
    reportProblem(source, [...base, ...path], message, fix, problems)
  }
  const compileWith = (names: ExpressionNames | null) => (text: string, path: KeyPath) => {
    try {
      return withConstants(text, { ...options, names })
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      const fix = 'Correct the JMESPath expression; a literal text is written as "\'text\'".'
      problem(path, error.message, error.cure ?? fix)
      return () => null
    }
  }
  const expression = compileWith(options.names)
  return {
    effect: options.effect,
    proven: source.proven ?? false,
    expression,
    answerExpression: compileWith(withAnswer(options.names)),
    tree: (value, path) => compileTree(value, expression, path),
    problem,
    resolvePath: path => resolveFile(path, source.file),
    readText: (path, key) => {
      try {
        return readFileSync(resolveFile(path, source.file), 'utf8')
      } catch (error) {
        const { code = messageOf(error) } = error as NodeJS.ErrnoException
        const fix = path.startsWith('npm:')
          ? 'Install the package, or name a file.'
          : 'Correct the path, which is relative to this file.'
        problem(key, `names ${path}, which cannot be read (${code})`, fix)
        return null
      }
    },
  }
}

export function optional(
  section: SectionCompiler,
  text: string | undefined,
  path: KeyPath,
): Expression | null {
  return text === undefined ? null : section.expression(text, path)
}

function withAnswer(names: ExpressionNames | null): ExpressionNames | null {
  return names && { ...names, roots: [...new Set([...names.roots, 'body', 'status', 'headers'])] }
}

/** Most expressions read no constant, so only those that do pay for a larger scope. */
function withConstants(text: string, { names, constants = {} }: SectionOptions): Expression {
  const known = Object.keys(constants)
  if (known.length === 0 || !text.includes('constants')) return compileExpression(text, names)
  const expression = compileExpression(
    text,
    names && { ...names, roots: [...names.roots, 'constants'], constants: known },
  )
  return scope => expression({ ...scope, constants })
}

/** `npm:package/file` names a file of an installed package; anything else is relative to the card's directory. */
function resolveFile(path: string, from: string): string {
  if (!path.startsWith('npm:')) return resolve(dirname(from), path)
  const [, name, file] = /^npm:((?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(path) ?? []
  if (!name || !file) throw new Error(`${path} is not of the form npm:package/file`)
  return resolve(dirname(packageEntry(name)), file)
}

function packageEntry(name: string): string {
  try {
    return createRequire(import.meta.url).resolve(name)
  } catch {
    // An ESM-only package has no entry for require.
    return new URL(import.meta.resolve(name)).pathname
  }
}
