import { dirname, resolve } from 'node:path'
import type { CustomHint } from '../hints/registry.ts'
import { formatProblem, type Problem } from '../lib/problem.ts'
import { useOneOf } from '../lib/text.ts'
import type { SourceFile } from '../lib/yaml-source.ts'
import type { Card, ConnectedUpstream } from '../model/card.ts'
import type { Environment } from '../model/environment.ts'
import { checkCapabilityNames, type Sources } from './check-names.ts'
import { checkTouches } from './check-touches.ts'
import { checkCardForm, compileCard } from './compile.ts'
import { type ConfiguredCredentials, reportUnknownUpstreams } from './configured-credentials.ts'
import { type Folder, findFolders, readFailurePack, readFolder, usedUpstream } from './folders.ts'
import { checkRuleHints, readHints } from './load-hints.ts'
import { checkPackPrefix } from './packs.ts'
import { reportProblem } from './report.ts'
import {
  type Adapters,
  connectUpstream,
  disconnectUpstream,
  type LoadedUpstream,
} from './upstream.ts'

export interface LoadOptions {
  /** Each holds one `upstream.yaml` and its cards, or folders that do. */
  readonly directories: readonly string[]
  /** Directories whose cards have been checked before: skips checks that only find faults. */
  readonly proven?: readonly string[]
  /** Finds keywords without effect too, which takes seconds for a thousand cards. @default false */
  readonly thorough?: boolean
  readonly adapters: Adapters
  readonly env: Environment
  readonly now: () => number
  /** Credentials of the settings, read with each load. @default none */
  readonly configured?: () => ConfiguredCredentials
  /** Finds settings that do not fit what has been loaded. @default none */
  readonly check?: (loaded: Pick<LoadResult, 'upstreams'>) => readonly Problem[]
  /** How many workers use the cards. @default 1 */
  readonly workers?: number
}

export interface LoadResult {
  readonly cards: ReadonlyMap<string, Card>
  readonly upstreams: readonly ConnectedUpstream[]
  /** The hints of the directories, by id. */
  readonly hints: ReadonlyMap<string, CustomHint>
  readonly problems: readonly Problem[]
  close(): Promise<void>
}

/** Lists all problems of the cards at once. */
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

/** The results so far. */
interface Loading {
  readonly options: LoadOptions
  readonly configured: ConfiguredCredentials
  readonly cards: Map<string, Card>
  readonly upstreams: LoadedUpstream[]
  readonly hints: Map<string, CustomHint>
  readonly problems: Problem[]
}

/**
 * Reads directories of cards and opens the connections of their upstreams. Faulty cards are reported and
 * skipped; the caller decides whether that stops the boot.
 */
export function loadCapabilities(options: LoadOptions): LoadResult {
  const loading: Loading = {
    options,
    configured: options.configured?.() ?? {},
    cards: new Map(),
    upstreams: [],
    hints: new Map(),
    problems: [],
  }
  const { cards, upstreams, hints, problems } = loading
  const { directories, proven = [], thorough = false } = options
  const folders = directories
    .flatMap(directory => findFolders(resolve(directory), problems))
    .map(path => readFolder(path, { proven: proven.includes(path), thorough }, problems))
  const isWhole = problems.length === 0
  for (const folder of folders) loadFolder(folder, loading)
  // A file that cannot be read may hold the card that uses a definition.
  if (isWhole) for (const { schemas } of upstreams) schemas.reportUnused()
  if (problems.length === 0) reportUnfitSettings(loading)
  const unproven = [...cards.values()].filter(({ file }) => !proven.includes(dirname(file)))
  const reporting = { sources: sourcesOf(folders), problems }
  checkCapabilityNames(unproven, cards, reporting)
  checkTouches(
    cards.values(),
    upstreams.map(({ upstream }) => upstream),
    reporting,
  )
  return { cards, upstreams, hints, problems, close: () => closeAll(upstreams) }
}

function sourcesOf(folders: readonly Folder[]): Sources {
  const sources = folders.flatMap(({ upstream, cards }) => [upstream ?? [], cards].flat())
  return new Map(sources.map(source => [source.file, source]))
}

function reportUnfitSettings({ configured, upstreams, problems, options }: Loading): void {
  const ids = upstreams.map(({ upstream }) => upstream.id)
  reportUnknownUpstreams(configured, ids, problems)
  problems.push(...(options.check?.({ upstreams }) ?? []))
}

function loadFolder(folder: Folder, loading: Loading): void {
  const { cards, upstreams, hints, problems, options } = loading
  const upstream = folder.upstream && findUpstream(folder.upstream, loading)
  if (!upstream) {
    // Report the cards' faults too, so they do not appear only after the upstream is fixed.
    // Cards of a shipped pack have none, and without its definitions some would seem faulty.
    for (const source of folder.cards) if (!source.proven) checkCardForm(source, problems)
    return
  }
  if (!upstreams.includes(upstream)) upstreams.push(upstream)
  if (folder.hints) readHints(folder.hints, hints, problems)
  if (folder.upstream) checkRuleHints(folder.upstream, hints, problems)
  for (const source of folder.cards) {
    const card = compileCard(source, upstream, options.adapters, problems)
    if (!card) continue
    checkPackPrefix(card, folder.path, problems)
    addCard(card, source, cards, problems)
  }
}

function addCard(
  card: Card,
  source: SourceFile,
  cards: Map<string, Card>,
  problems: Problem[],
): void {
  const twin = cards.get(card.id)
  if (twin) {
    const message = `${card.id} is taken by ${twin.file}`
    reportProblem(source, ['id'], message, `Rename it, or remove ${twin.file}.`, problems)
  } else {
    cards.set(card.id, card)
  }
}

/** Connects the upstream that the file describes, or finds the loaded one that it names. */
function findUpstream(source: SourceFile, loading: Loading): LoadedUpstream | null {
  const { upstreams, problems, options, configured } = loading
  const used = usedUpstream(source)
  if (used !== null) return findLoaded(used, source, upstreams, problems)
  const connected = connectUpstream(source, {
    ...options,
    configured,
    failurePack: readFailurePack,
    problems,
  })
  const id = connected?.upstream.id
  if (!upstreams.some(({ upstream }) => upstream.id === id)) return connected
  const message = `"${id}" is the id of another upstream`
  reportProblem(source, ['id'], message, 'Give it an id of its own.', problems)
  if (connected) void closeAll([connected])
  return null
}

function findLoaded(
  id: string,
  source: SourceFile,
  upstreams: readonly LoadedUpstream[],
  problems: Problem[],
): LoadedUpstream | null {
  const found = upstreams.find(({ upstream }) => upstream.id === id)
  if (found) return found
  const known = upstreams.map(({ upstream }) => upstream.id)
  const message = `names the upstream "${id}", which is not loaded before this directory`
  const fix = useOneOf(known, 'describe the upstream here')
  reportProblem(source, ['use'], message, fix, problems)
  return null
}

async function closeAll(upstreams: readonly ConnectedUpstream[]): Promise<void> {
  await Promise.all(upstreams.map(disconnectUpstream))
}
