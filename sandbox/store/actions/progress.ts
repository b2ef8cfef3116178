import type { CheckRun, CheckSuite, Conclusion, Progress } from './entities.ts'

/** The check runs that count: of those with one name, the last. */
export function latestRuns(suite: CheckSuite): CheckRun[] {
  return [...new Map(suite.checkRuns.map(run => [run.name, run])).values()]
}

/** Of several conclusions, the first of these is that of the whole. */
const gravest: readonly Conclusion[] = [
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

/** How far a suite is, as its check runs tell. */
export function progressOf(suite: CheckSuite): Progress {
  const runs = latestRuns(suite)
  if (runs.length === 0) return suite.progress
  if (runs.every(run => run.status === 'completed')) {
    const conclusion = gravest.find(it => runs.some(run => run.conclusion === it)) ?? null
    return { status: 'completed', conclusion }
  }
  const first = runs[0]?.status ?? 'queued'
  const isUniform = runs.every(run => run.status === first)
  return { status: isUniform ? first : 'in_progress', conclusion: null }
}
