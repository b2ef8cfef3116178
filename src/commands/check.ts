import { relative } from 'node:path'
import { createAdapters } from '../adapters.ts'
import { loadCapabilities, SHIPPED_DIRECTORIES } from '../cards/load.ts'
import { formatProblem } from '../cards/problem.ts'
import { systemClock } from '../clock.ts'
import { loadSettings } from '../config.ts'
import type { CommonOptions } from './options.ts'

/** Finds every fault that would stop a boot, and says where and how to mend it. */
export async function check(directories: readonly string[], options: CommonOptions): Promise<void> {
  const settings = loadSettings(process.env, options.config ?? null)
  const named =
    directories.length > 0 ? directories : [...SHIPPED_DIRECTORIES, ...settings.capabilities]
  const loaded = loadCapabilities({
    directories: named,
    adapters: createAdapters(),
    env: process.env,
    now: systemClock.now,
  })
  await loaded.close()
  for (const problem of loaded.problems) {
    const file = fromHere(problem.file)
    process.stderr.write(`${formatProblem({ ...problem, file })}\n`)
  }
  const counted = [
    count(loaded.cards.size, 'capability', 'capabilities'),
    count(loaded.problems.length, 'problem', 'problems'),
  ]
  process.stdout.write(`${counted.join(', ')}\n`)
  process.exitCode = loaded.problems.length > 0 ? 1 : 0
}

/** As one would type it, where that is shorter. */
function fromHere(file: string): string {
  const path = relative(process.cwd(), file)
  return path.startsWith('..') || path === '' ? file : path
}

function count(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`
}
