import { createRequire } from 'node:module'
import type { checkSync as CheckSync } from 'recheck'
import { reportProblem } from '../../cards/report.ts'
import { isObject } from '../../lib/is-object.ts'
import type { Problem } from '../../lib/problem.ts'
import type { KeyPath, SourceFile } from '../../lib/yaml-source.ts'
import { foldersIn } from './folders-in.ts'

/** How long one pattern may take to analyse. A pattern whose analysis takes longer passes. */
const TIMEOUT_MS = 5000

const FIX =
  'Begin it with ^, bound the repetition (.{0,200} for .*), or let neighbours match different characters.'

/** Reports the patterns in schemas and failure rules whose time grows faster than the text that they read. */
export function findSlowPatterns(directories: readonly string[]): readonly Problem[] {
  const problems: Problem[] = []
  for (const { upstream, cards } of foldersIn(directories)) {
    for (const source of upstream ? [upstream, ...cards] : cards) checkFile(source, problems)
  }
  return problems
}

function checkFile(source: SourceFile, problems: Problem[]): void {
  for (const { path, pattern, flags } of patternsIn(source.value, [])) {
    const growth = growthOf(pattern, flags)
    if (growth !== null) {
      const message = `is not linear: its time on a hostile text is ${growth}`
      reportProblem(source, path, message, FIX, problems)
    }
  }
}

interface Found {
  readonly path: KeyPath
  readonly pattern: string
  readonly flags: 'u' | 'i'
}

function patternsIn(value: unknown, path: KeyPath): Found[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => patternsIn(item, [...path, index]))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const at = [...path, name]
    if (name === 'pattern' && typeof member === 'string') {
      return [{ path: at, pattern: member, flags: 'u' as const }]
    }
    return name === 'when' && isObject(member) ? rulePatterns(member, at) : patternsIn(member, at)
  })
}

/** A failure rule matches messages, stderr and headers, without regard to case. */
function rulePatterns(
  { message, stderr, header }: Record<string, unknown>,
  path: KeyPath,
): Found[] {
  const texts = Object.entries({ message, stderr }).map(([name, text]) => [[name], text] as const)
  const headers = Object.entries(isObject(header) ? header : {}).map(
    ([name, text]) => [['header', name], text] as const,
  )
  return [...texts, ...headers].flatMap(([at, pattern]) =>
    typeof pattern === 'string' ? [{ path: [...path, ...at], pattern, flags: 'i' as const }] : [],
  )
}

const analysed = new Map<string, string | null>()

/** Cards repeat each other's patterns, and analysing one can take seconds. */
function growthOf(pattern: string, flags: string): string | null {
  const key = `${flags} ${pattern}`
  const known = analysed.get(key)
  if (known !== undefined) return known
  const growth = analyse(pattern, flags)
  analysed.set(key, growth)
  return growth
}

/** `exponential`, or the degree of the polynomial; null for a pattern that is linear or cannot be analysed in time. */
function analyse(pattern: string, flags: string): string | null {
  // The build for browsers runs in this process. The package's main file would look for Java or a binary.
  const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js') as {
    readonly checkSync: typeof CheckSync
  }
  const result = checkSync(pattern, flags, { timeout: TIMEOUT_MS })
  return result.status === 'vulnerable' ? result.complexity.summary : null
}
