import type { CheckRun, WorkflowRun } from './entities.ts'
import { latestRuns } from './progress.ts'

/**
 * Path → text of a run's log archive: one file per job, and a folder per job with one file per step.
 * Empty if no job has a log.
 */
export function logFilesOf({ suite }: WorkflowRun): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  for (const [index, job] of latestRuns(suite).entries()) {
    if (job.log === null) continue
    files.set(`${index}_${fileName(job.name)}.txt`, job.log)
    for (const { number, name, text } of logsOfSteps(job, job.log)) {
      files.set(`${fileName(job.name)}/${number}_${fileName(name)}.txt`, text)
    }
  }
  return files
}

/** Splits a job's log by time: a step's lines run from its start to the start of the next step. */
function logsOfSteps({ steps }: CheckRun, log: string) {
  const lines = log.split(/(?<=\n)/)
  return steps.map(({ number, name, startedAt }, index) => {
    const [from, to] = [startedAt ?? '', steps[index + 1]?.startedAt]
    const isWithin = (line: string) =>
      (index === 0 || timeOf(line) >= from) && (!to || timeOf(line) < to)
    return { number, name, text: lines.filter(isWithin).join('') }
  })
}

/** Precise to the second, like the times of steps. */
function timeOf(line: string): string {
  return `${line.slice(0, 19)}Z`
}

function fileName(name: string): string {
  return name.replaceAll('/', '')
}
