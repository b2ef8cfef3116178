import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Problem } from '../lib/problem.ts'
import { parseShipped, parseSource, type SourceFile } from '../lib/yaml-source.ts'
import type { FailureRuleSource } from '../model/failure-rule.ts'
import { PACKS, packDirectories, SHIPPED, UPSTREAM_FILE } from './packs.ts'

const HINTS_FILE = 'hints.yaml'

/** The parsed files of a folder. A file that is no YAML is reported, and missing here. */
export interface Folder {
  readonly path: string
  readonly upstream: SourceFile | null
  readonly hints: SourceFile | null
  readonly cards: readonly SourceFile[]
}

/** Finds the folder itself if it has an `upstream.yaml`, else the folders in it that have one. */
export function findFolders(directory: string, problems: Problem[]): string[] {
  if (existsSync(join(directory, UPSTREAM_FILE))) return [directory]
  const exists = existsSync(directory)
  const folders = (exists ? readdirSync(directory) : [])
    .map(name => join(directory, name))
    .filter(path => statSync(path).isDirectory() && existsSync(join(path, UPSTREAM_FILE)))
  if (folders.length === 0) {
    const message = exists ? 'holds no upstream.yaml' : 'does not exist'
    const fix = 'Name a directory that holds one upstream.yaml and its cards.'
    problems.push({ file: directory, line: null, message, fix })
  }
  return folders
}

type Parsed = ReturnType<typeof parseSource>

/** The shipped files as they were parsed last. */
const parsed = new Map<string, { readonly text: string; readonly source: Parsed }>()

/** Parses a file only if it has changed: reloads mostly find the same texts. */
function parseAgain(file: string, text: string): Parsed {
  const known = parsed.get(file)
  if (known?.text === text) return known.source
  const source = parseSource(file, text)
  parsed.set(file, { text, source })
  return source
}

export type Checks = Pick<SourceFile, 'proven' | 'thorough'>

/** @param checks which checks the cards need. */
export function readFolder(path: string, checks: Checks, problems: Problem[]): Folder {
  const read = (name: string): SourceFile | null => {
    const file = join(path, name)
    const text = readFileSync(file, 'utf8')
    const source = checks.proven ? parseAgain(file, text) : parseSource(file, text)
    if ('value' in source) return { ...source, ...checks }
    problems.push(source)
    return null
  }
  const names = readdirSync(path).filter(name => /\.ya?ml$/.test(name))
  const cards = names.filter(name => name !== UPSTREAM_FILE && name !== HINTS_FILE).sort()
  return {
    path,
    upstream: read(UPSTREAM_FILE),
    hints: names.includes(HINTS_FILE) ? read(HINTS_FILE) : null,
    cards: cards.flatMap(name => read(name) ?? []),
  }
}

/** `use: github` and nothing else: the folder's cards join an upstream that an earlier folder describes. */
export function usedUpstream({ value }: Pick<SourceFile, 'value'>): string | null {
  const use = (value as { use?: unknown } | null)?.use
  return typeof use === 'string' && Object.keys(value as object).length === 1 ? use : null
}

/** The folders of the shipped packs that these directories add cards to, without those among them. */
export function packsUsedBy(directories: readonly string[]): readonly string[] {
  const named = directories.flatMap(directory => findFolders(resolve(directory), []))
  const used = named.map(path => {
    const file = join(path, UPSTREAM_FILE)
    const source = parseSource(file, readFileSync(file, 'utf8'))
    return 'value' in source ? usedUpstream(source) : null
  })
  const packs = PACKS.filter(pack => used.includes(pack))
  return packDirectories(packs).filter(path => !named.includes(path))
}

/** A shipped set of failure rules; null when there is none of that name. */
export function readFailurePack(name: string): readonly FailureRuleSource[] | null {
  const file = join(SHIPPED, 'rules', `${name}.yaml`)
  if (!/^[a-z0-9-]+$/.test(name) || !existsSync(file)) return null
  return (parseShipped(file, readFileSync(file, 'utf8')) as { failures: FailureRuleSource[] })
    .failures
}
