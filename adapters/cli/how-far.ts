import type { Failure } from '../../src/model/failure.ts'
import type { Progress } from '../failures/progress.ts'
import { isAnotherStep } from './another-step.ts'
import { wasStopped } from './endings.ts'
import type { Output } from './parse-output.ts'
import { decodeOutput, type FinishedRun } from './run-facts.ts'
import { relevantLines } from './stderr-lines.ts'
import { isUsageRefusal } from './usage.ts'

/** How far a program got that failed, by facts that its messages cannot change. */
export function progressOf(
  run: FinishedRun,
  { status }: Output,
  { code }: Pick<Failure, 'code'>,
): Progress {
  if (run.result.spawnError) return wasStopped(run.result) ? 'unseen' : 'not_started'
  if (run.format === 'http' && status !== null) return 'answer_read'
  // The work is done; only the answer cannot be read.
  if (code === 'OUTPUT_INVALID' && hasSucceeded(run)) return 'answer_read'
  return afterExit(run)
}

function afterExit({ oneRequest, command, tool, result }: FinishedRun): Progress {
  const stderr = decodeOutput(result.stderr)
  if (oneRequest) return isAnotherStep(command, relevantLines(stderr)) ? 'unseen' : 'reported'
  return isUsageRefusal(tool, result.exitCode, stderr) ? 'refused_as_usage' : 'unseen'
}

/** Whether the exit code is one of success. */
export function hasSucceeded({ okExitCodes, result }: FinishedRun): boolean {
  return result.exitCode !== null && okExitCodes.includes(result.exitCode)
}
