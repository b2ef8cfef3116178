import { dirname, relative, resolve } from 'node:path'
import { checkAccess, checkCredentials, findUnmatched } from '../access/check-rights.ts'
import { packsUsedBy } from '../cards/folders.ts'
import { type LoadResult, loadCapabilities } from '../cards/load.ts'
import { PUBLISHED_PACK, packDirectories, SHIPPED_DIRECTORIES } from '../cards/packs.ts'
import { createAdapters } from '../gateway/adapters.ts'
import type { CardSettings } from '../gateway/create-engine.ts'

import { systemClock } from '../lib/clock.ts'
import { formatProblem, type Problem } from '../lib/problem.ts'
import { counted } from '../lib/text.ts'
import type { Card } from '../model/card.ts'
import type { Environment } from '../model/environment.ts'
import { unstatedTexts } from '../tools/check/unstated-texts.ts'
import { type CommonOptions, readSettings } from './options.ts'
import { print, printError } from './output.ts'

export interface CheckOptions extends CommonOptions {
  readonly github?: boolean
  readonly strict?: boolean
}

/**
 * Finds every fault that would stop a start, and warns of what is most likely not meant. Reports the place of each, and
 * how to fix it. Warnings alone make the command fail only with `strict`.
 */
export async function check(
  directories: readonly string[],
  options: CheckOptions,
  env: Environment = process.env,
): Promise<void> {
  const settings = readSettings(env, options)
  const named =
    directories.length > 0
      ? directories
      : [...packDirectories(settings.packs), ...settings.capabilities]
  const isWhole = directories.length === 0
  const used = packsUsedBy(named)
  // The settings are about all directories, and these may be some others.
  const fitting = isWhole ? settings : NO_SETTINGS
  const loaded = load([...used, ...named], used, { settings: fitting, env })
  await loaded.close()
  const own = named.filter(directory => !SHIPPED_DIRECTORIES.includes(directory))
  const cards = [...loaded.cards.values()].filter(({ file }) => !used.includes(dirname(file)))
  const problems = [
    ...loaded.problems,
    ...checkAccess(settings),
    ...(await checkPatterns(own)),
    ...(options.github ? await checkGithub(cards) : []),
  ]
  const warnings = [
    ...(await findWarnings(own, problems)),
    ...unstatedTexts(cards),
    ...findUnmatched(fitting, { cards: loaded.cards.values() }),
  ]
  tell(problems, warnings, missingSecrets(cards, own))
  const capabilities = counted(cards.length, 'capability', 'capabilities')
  const also = warnings.length > 0 ? `, ${counted(warnings.length, 'warning')}` : ''
  print(`${capabilities}, ${counted(problems.length, 'problem')}${also}`)
  const faults = problems.length + (options.strict ? warnings.length : 0)
  process.exitCode = faults > 0 ? 1 : 0
}

const NO_SETTINGS: CardSettings = { credentials: {}, keys: [], oidc: [] }

/** Loads cards as a start does, and looks closer. */
function load(
  directories: readonly string[],
  proven: readonly string[],
  { settings, env }: { readonly settings: CardSettings; readonly env: Environment },
): LoadResult {
  return loadCapabilities({
    directories,
    proven,
    thorough: true,
    adapters: createAdapters(),
    env,
    now: systemClock.now,
    configured: () => settings.credentials,
    check: found => checkCredentials(settings, found),
  })
}

function tell(
  problems: readonly Problem[],
  warnings: readonly Problem[],
  notes: ReadonlySet<string>,
): void {
  for (const problem of problems) report(problem, '')
  for (const warning of warnings) report(warning, 'warning: ')
  for (const note of notes) printError(`note: ${note}`)
}

function report({ file, message, ...others }: Problem, kind: string): void {
  printError(formatProblem({ ...others, file: fromHere(file), message: `${kind}${message}` }))
}

/** Leaves out the warnings about a line that has a problem. A test shows that the shipped cards have none. */
async function findWarnings(
  directories: readonly string[],
  problems: readonly Problem[],
): Promise<readonly Problem[]> {
  const lints = await import('../tools/check/lints.ts')
  return lints
    .findWarnings(directories)
    .filter(({ file, line }) => !problems.some(one => one.file === file && one.line === line))
}

/** A test proves the shipped patterns. The analysis is large, so load it only where there are others. */
async function checkPatterns(directories: readonly string[]): Promise<readonly Problem[]> {
  if (directories.length === 0) return []
  const { findSlowPatterns } = await import('../tools/check/slow-patterns.ts')
  return findSlowPatterns(directories)
}

/** Compares the cards of one pack with the APIs that GitHub publishes. */
async function checkGithub(cards: readonly Card[]): Promise<readonly Problem[]> {
  const { checkContract } = await import('../tools/contract/check.ts')
  const { readPublishedApi } = await import('../tools/contract/published.ts')
  const openApi = readPublishedApi(printError)
  const own = cards.filter(card => card.upstream.id === PUBLISHED_PACK)
  const { documents, restCalls, extended, problems } = checkContract(own, openApi)
  print(
    `Compared ${documents} GraphQL documents and ${restCalls} REST calls with the APIs that GitHub publishes.`,
  )
  if (extended.size > 0) {
    print(`These need the definitions in additions.graphql as well: ${[...extended].join(', ')}`)
  }
  return [...problems.values()]
}

/** Calls of these cards would be refused here. The cards may be meant for another machine, so this is no fault. */
function missingSecrets(cards: readonly Card[], directories: readonly string[]): Set<string> {
  const folders = directories.map(directory => `${resolve(directory)}/`)
  const own = cards.filter(({ file }) => folders.some(folder => resolve(file).startsWith(folder)))
  const missing = own.flatMap(({ upstream: { credentials }, routes }) =>
    routes.flatMap(({ needs }) => credentials.lacking(credentials.choose(null), needs) ?? []),
  )
  return new Set(missing.map(({ message, fix }) => `${message} ${fix}`))
}

/** A path relative to the current directory, unless it lies outside. */
function fromHere(file: string): string {
  const path = relative(process.cwd(), file)
  return path.startsWith('..') || path === '' ? file : path
}
