import type { FailureRule } from '../../src/model/failure-rule.ts'
import { readErrorDocument } from '../failures/vocabulary/error-document.ts'
import { isNotReady } from '../http/judge/answer.ts'
import { type Output, parseErrorOutput } from './parse-output.ts'
import { decodeOutput, type FinishedRun, readFacts } from './run-facts.ts'

/** Whether something that the program printed contradicts an exit code of success, before its output is parsed. */
export function contradictsExit(run: FinishedRun, rules: readonly FailureRule[]): boolean {
  return printedFailure(run) || refusedAtExit0(run, rules)
}

/** Whether the parsed output is that of a failure: an HTTP status of one, or an error document. */
export function isFailedOutput(run: FinishedRun, output: Output): boolean {
  const { status } = output
  const isFailedStatus = status !== null && (status >= 400 || isNotReady(status, run))
  return isFailedStatus || isRefusal(run, output)
}

/** Whether a program whose output is no HTTP by its card printed an HTTP answer of a failure all the same. */
function printedFailure({ format, result }: FinishedRun): boolean {
  if (format === 'http' || !Buffer.from(result.stdout.subarray(0, 5)).equals(HTTP)) return false
  return (parseErrorOutput(decodeOutput(result.stdout), format).status ?? 0) >= 400
}

const HTTP = Buffer.from('HTTP/')

/** Whether a rule that names exit code 0 says that this is a failure all the same. */
function refusedAtExit0(run: FinishedRun, rules: readonly FailureRule[]): boolean {
  const own = rules.filter(rule => rule.exitCodes?.includes(0) && !rule.outcome.ok)
  if (own.length === 0) return false
  const facts = readFacts(run)
  return own.some(rule => rule.matches(facts))
}

/** Whether the program printed an error document and exits as after a success. */
export function isRefusal({ format, asked }: FinishedRun, { body }: Output): boolean {
  return (format === 'json' || format === 'http') && readErrorDocument(body, asked) !== null
}
