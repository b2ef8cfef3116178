import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CustomHint } from '../hints/registry.ts'
import { formatProblem, type Problem } from '../lib/problem.ts'
import { parseShipped, parseSource, type SourceFile } from '../lib/yaml-source.ts'
import type { Connection } from '../model/adapter.ts'
import type { Card, ConnectedUpstream } from '../model/card.ts'
import type { Environment } from '../model/environment.ts'
import type { FailureRuleSource } from '../model/failure-rule.ts'
import { checkCardForm, compileCard } from './compile.ts'
import { readHints } from './load-hints.ts'
import { type Adapters, connectUpstream } from './upstream.ts'

export interface LoadOptions {
  /** Each holds one `upstream.yaml` and its cards, or folders that do. */
  readonly directories: readonly string[]
  /** Those of them whose cards have been checked before: what only finds faults is left out. */
  readonly proven?: readonly string[]
  readonly adapters: Adapters
  readonly env: Environment
  readonly now: () => number
}

export interface LoadResult {
  readonly cards: ReadonlyMap<string, Card>
  readonly upstreams: readonly ConnectedUpstream[]
  /** Those that the directories bring along. */
  readonly hints: ReadonlyMap<string, CustomHint>
  readonly problems: readonly Problem[]
  close(): Promise<void>
}

const UPSTREAM_FILE = 'upstream.yaml'
const HINTS_FILE = 'hints.yaml'
const SHIPPED = fileURLToPath(new URL('../../capabilities/', import.meta.url))

/** The capabilities that Signalbox ships. */
export const SHIPPED_DIRECTORIES: readonly string[] = [join(SHIPPED, 'github')]

/** Cards that cannot be used, told all at once. */
export class CardsError extends Error {
  override readonly name = 'CardsError'
  readonly problems: readonly Problem[]
  constructor(problems: readonly Problem[]) {
    super(
      `${problems.length} problem(s) in capabilities:\n${problems.map(formatProblem).join('\n')}`,
    )
    this.problems = problems
  }
}

/**
 * Reads directories of cards and opens the connections of their upstreams. Faulty cards are left out
 * and reported; the caller decides whether that stops the boot.
 */
export function loadCapabilities(options: LoadOptions): LoadResult {
  const problems: Problem[] = []
  const cards = new Map<string, Card>()
  const upstreams: ConnectedUpstream[] = []
  const hints = new Map<string, CustomHint>()
  for (const directory of options.directories.flatMap(path => packs(resolve(path), problems))) {
    const connected = loadUpstream(directory, upstreams, options, problems)
    if (!connected) {
      // Who mends the upstream should not find the faults of its cards only then.
      for (const source of cardSources(directory, problems)) checkCardForm(source, problems)
      continue
    }
    if (!upstreams.includes(connected)) upstreams.push(connected)
    loadHints(directory, hints, problems)
    const proven = options.proven?.includes(directory) ?? false
    for (const source of cardSources(directory, problems)) {
      const card = compileCard({ ...source, proven }, connected, options.adapters, problems)
      const twin = card && cards.get(card.id)
      if (twin) {
        const fix = `Rename it, or remove ${twin.file}.`
        problems.push({
          file: card.file,
          line: source.lineOf(['id']),
          message: `id ${card.id} is taken by ${twin.file}`,
          fix,
        })
      } else if (card) {
        cards.set(card.id, card)
      }
    }
  }
  checkCapabilityNames(cards, problems)
  return { cards, upstreams, hints, problems, close: () => closeAll(upstreams) }
}

/** A directory with an `upstream.yaml`, or the folders in it that have one. */
function packs(directory: string, problems: Problem[]): string[] {
  if (existsSync(join(directory, UPSTREAM_FILE))) return [directory]
  const folders = existsSync(directory)
    ? readdirSync(directory)
        .map(name => join(directory, name))
        .filter(path => statSync(path).isDirectory() && existsSync(join(path, UPSTREAM_FILE)))
    : []
  if (folders.length === 0) {
    problems.push({
      file: directory,
      line: null,
      message: existsSync(directory) ? 'holds no upstream.yaml' : 'does not exist',
      fix: 'Name a directory that holds one upstream.yaml and its cards.',
    })
  }
  return folders
}

function loadUpstream(
  directory: string,
  others: readonly ConnectedUpstream[],
  options: LoadOptions,
  problems: Problem[],
): ConnectedUpstream | null {
  const source = readSource(join(directory, UPSTREAM_FILE), problems)
  if (!source) return null
  const used = usedUpstream(source)
  if (used !== null) return findUpstream(used, source, others, problems)
  const connected = connectUpstream(source, { ...options, failurePack, problems })
  if (connected && others.some(other => other.upstream.id === connected.upstream.id)) {
    const message = `id "${connected.upstream.id}" is the id of another upstream`
    problems.push({
      file: source.file,
      line: source.lineOf(['id']),
      message,
      fix: 'Give it an id of its own.',
    })
    void closeAll([connected])
    return null
  }
  return connected
}

function loadHints(directory: string, hints: Map<string, CustomHint>, problems: Problem[]): void {
  const file = join(directory, HINTS_FILE)
  const source = existsSync(file) ? readSource(file, problems) : null
  if (source) readHints(source, hints, problems)
}

/** `use: github` and nothing else: the cards beside it join an upstream that is there already. */
function usedUpstream({ value }: SourceFile): string | null {
  const use = (value as { use?: unknown } | null)?.use
  return typeof use === 'string' && Object.keys(value as object).length === 1 ? use : null
}

function findUpstream(
  id: string,
  source: SourceFile,
  others: readonly ConnectedUpstream[],
  problems: Problem[],
): ConnectedUpstream | null {
  const found = others.find(other => other.upstream.id === id)
  if (found) return found
  const known = others.map(other => other.upstream.id).join(', ')
  problems.push({
    file: source.file,
    line: source.lineOf(['use']),
    message: `use names the upstream "${id}", which is not loaded before this directory`,
    fix: `Use one of: ${known || '(none)'}; or describe the upstream here.`,
  })
  return null
}

function cardSources(directory: string, problems: Problem[]): SourceFile[] {
  return readdirSync(directory)
    .filter(name => /\.ya?ml$/.test(name) && name !== UPSTREAM_FILE && name !== HINTS_FILE)
    .sort()
    .flatMap(name => readSource(join(directory, name), problems) ?? [])
}

function readSource(file: string, problems: Problem[]): SourceFile | null {
  const source = parseSource(file, readFileSync(file, 'utf8'))
  if ('value' in source) return source
  problems.push(source)
  return null
}

function failurePack(name: string): readonly FailureRuleSource[] | null {
  const file = join(SHIPPED, 'rules', `${name}.yaml`)
  if (!/^[a-z0-9-]+$/.test(name) || !existsSync(file)) return null
  return (parseShipped(file, readFileSync(file, 'utf8')) as { failures: FailureRuleSource[] })
    .failures
}

/** Cards name each other in `verify` and `next`; a name that nobody has would fail only when needed most. */
function checkCapabilityNames(cards: ReadonlyMap<string, Card>, problems: Problem[]): void {
  for (const card of cards.values()) {
    const names = [
      card.verify?.capability,
      card.verify?.viewer,
      ...card.next.map(next => next.capability),
    ]
    for (const name of names) {
      if (!name || cards.has(name)) continue
      const message = `names the capability "${name}", which does not exist`
      problems.push({ file: card.file, line: null, message, fix: `Add its card, or name another.` })
    }
  }
}

async function closeAll(upstreams: readonly ConnectedUpstream[]): Promise<void> {
  const connections: Connection[] = upstreams.flatMap(({ connections: all }) => [...all.values()])
  await Promise.all(connections.map(connection => connection.close()))
}
