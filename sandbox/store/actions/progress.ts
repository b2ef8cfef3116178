import type { CheckRun, CheckSuite, Conclusion, Progress } from './entities.ts'

/** The last check run of each name. */
export function latestRuns(suite: CheckSuite): CheckRun[] {
  return [...new Map(suite.checkRuns.map(run => [run.name, run])).values()]
}

/** The suite's conclusion is the first of these that a check run has. */
const bySeverity: readonly Conclusion[] = [
  'action_required',
  'failure',
  'timed_out',
  'startup_failure',
  'cancelled',
  'stale',
  'success',
  'neutral',
  'skipped',
]

/** The suite's progress, derived from its check runs. */
export function progressOf(suite: CheckSuite): Progress {
  const runs = latestRuns(suite)
  if (runs.length === 0) return suite.progress
  if (runs.every(run => run.status === 'completed')) {
    const conclusion = bySeverity.find(it => runs.some(run => run.conclusion === it)) ?? null
    return { status: 'completed', conclusion }
  }
  const first = runs[0]?.status ?? 'queued'
  const isUniform = runs.every(run => run.status === first)
  return { status: isUniform ? first : 'in_progress', conclusion: null }
}
