import { createAdapters } from '../adapters.ts'
import { loadCapabilities, SHIPPED_DIRECTORIES } from '../cards/load.ts'
import { formatProblem } from '../cards/problem.ts'
import { systemClock } from '../clock.ts'
import { loadSettings } from '../config.ts'
import type { CommonOptions } from './program.ts'

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
  for (const problem of loaded.problems) process.stderr.write(`${formatProblem(problem)}\n`)
  process.stdout.write(`${loaded.cards.size} capabilities, ${loaded.problems.length} problems\n`)
  process.exitCode = loaded.problems.length > 0 ? 1 : 0
}
