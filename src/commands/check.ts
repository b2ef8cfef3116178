import { relative } from 'node:path'
import { loadCapabilities, SHIPPED_DIRECTORIES } from '../cards/load.ts'
import { createAdapters } from '../gateway/adapters.ts'
import { loadSettings } from '../gateway/config.ts'
import { systemClock } from '../lib/clock.ts'
import { formatProblem, type Problem } from '../lib/problem.ts'
import type { Card } from '../model/card.ts'
import type { Environment } from '../model/environment.ts'
import type { CommonOptions } from './options.ts'

export interface CheckOptions extends CommonOptions {
  readonly github?: boolean
}

/** Finds every fault that would stop a boot, and says where and how to mend it. */
export async function check(
  directories: readonly string[],
  options: CheckOptions,
  env: Environment = process.env,
): Promise<void> {
  const settings = loadSettings(env, options.config ?? null)
  const named =
    directories.length > 0 ? directories : [...SHIPPED_DIRECTORIES, ...settings.capabilities]
  const loaded = loadCapabilities({
    directories: named,
    adapters: createAdapters(),
    env,
    now: systemClock.now,
  })
  await loaded.close()
  const cards = [...loaded.cards.values()]
  const problems = [...loaded.problems, ...(options.github ? await checkGithub(cards) : [])]
  for (const problem of problems) {
    const file = fromHere(problem.file)
    process.stderr.write(`${formatProblem({ ...problem, file })}\n`)
  }
  const counted = [
    count(loaded.cards.size, 'capability', 'capabilities'),
    count(problems.length, 'problem', 'problems'),
  ]
  process.stdout.write(`${counted.join(', ')}\n`)
  process.exitCode = problems.length > 0 ? 1 : 0
}

/** Compares the cards of GitHub with what GitHub publishes of its APIs. */
async function checkGithub(cards: readonly Card[]): Promise<readonly Problem[]> {
  const { checkContract } = await import('../tools/contract/check.ts')
  const { readPublishedApi } = await import('../tools/contract/published.ts')
  const openApi = readPublishedApi(line => process.stderr.write(`${line}\n`))
  const own = cards.filter(card => card.upstream.id === 'github')
  const { documents, restCalls, extended, problems } = checkContract(own, openApi)
  process.stdout.write(
    `${documents} GraphQL documents and ${restCalls} REST calls compared with what GitHub publishes\n`,
  )
  if (extended.size > 0) {
    process.stdout.write(`additions.graphql answers for ${[...extended].join(', ')}\n`)
  }
  return [...problems.values()]
}

/** As one would type it, where that is shorter. */
function fromHere(file: string): string {
  const path = relative(process.cwd(), file)
  return path.startsWith('..') || path === '' ? file : path
}

function count(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`
}
