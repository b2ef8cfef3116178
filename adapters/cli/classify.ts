import type { Failure } from '../../src/model/failure.ts'
import type { FailureRule } from '../../src/model/failure-rule.ts'
import { judge } from '../http/judge/classify.ts'
import { afterAppliedWork, toFailure } from '../http/judge/failure.ts'
import { verdictOfStatus } from '../http/judge/status.ts'
import { type Verdict, verdict } from '../http/judge/verdict.ts'
import type { AnswerFacts } from '../http/read/answer-facts.ts'
import { errorDetails } from '../http/read/error-details.ts'
import { classifyAnswer, isNotReady } from '../rest/classify.ts'
import { meaningOfCodes } from './code-names.ts'
import { meaningOfEnding, meaningOfExitCode, meaningOfShellSignal } from './endings.ts'
import { type Output, OutputError, parseErrorOutput, parseOutput } from './parse-output.ts'
import { meaningOfWords } from './phrases/phrases.ts'
import { reportsWork } from './reported-work.ts'
import { decodeOutput, type FinishedRun, type RunFacts, readFacts } from './run-facts.ts'

export interface Judging {
  /** The upstream's own rules, then those for the program. The first that matches counts. */
  readonly rules: readonly FailureRule[]
  /** Never to be shown. */
  readonly secrets: readonly string[]
  readonly now: number
}

export type Judgement =
  | { readonly ok: true; readonly output: Output }
  | { readonly ok: false; readonly failure: Failure; readonly output: Output }

const NO_OUTPUT: Output = { body: null, status: null, headers: {} }

/**
 * Decides what a run was: first by how it ended, then by what is machine-readable in what it printed,
 * and by wording only where all of that is silent.
 */
export function judgeRun(run: FinishedRun, judging: Judging): Judgement {
  const ending = meaningOfEnding(run.result)
  if (ending) {
    const [meaning, words] = ending
    return refused(meaning, words(run.tool), judging)
  }
  const { exitCode } = run.result
  if (isAccepted(run)) return judgeOutput(run, judging)
  const succeeded = exitCode !== null && run.okExitCodes.includes(exitCode)
  return succeeded ? judgeSuccess(run, judging) : judgeFailure(run, judging)
}

/** A status that the card takes for success, whatever the exit code: `gh api` ends with 1 at any 4xx. */
function isAccepted({ accept, format, result }: FinishedRun): boolean {
  if (accept.length === 0 || format !== 'http') return false
  const { status } = parseErrorOutput(decodeOutput(result.stdout), format)
  return status !== null && accept.includes(status)
}

/** The exit code says success. Under `parse: http` the status that was printed may contradict. */
function judgeSuccess(run: FinishedRun, judging: Judging): Judgement {
  const judgement = judgeOutput(run, judging)
  const { status, body } = judgement.output
  if (status !== null && (status >= 400 || isNotReady(status, run)))
    return judgeFailure(run, judging)
  // A change may well be answered without a word; to a question that is no answer.
  const silent = run.format === 'json' && run.effect === 'read' && body === null
  if (!judgement.ok || !silent) return judgement
  const words = `${run.tool} printed nothing where JSON was expected.`
  return refused(verdict('OUTPUT_INVALID'), words, judging)
}

function judgeFailure(run: FinishedRun, judging: Judging): Judgement {
  const facts = readFacts(run)
  if (isCrash(facts)) return refused(verdict('UNKNOWN'), explanation(run, facts), judging)
  const rule = judging.rules.find(candidate => candidate.matches(facts))
  if (rule?.outcome.ok) return judgeOutput(run, judging)
  const failure = isHttpFailure(facts)
    ? judgeAsAnswer(run, facts, judging)
    : judgeExit(run, facts, judging)
  const partial = run.effect !== 'read' && reportsWork(facts.stdout)
  const output = { ...facts.output, status: facts.status }
  return { ok: false, failure: partial ? afterAppliedWork(failure) : failure, output }
}

function judgeOutput(run: FinishedRun, judging: Judging): Judgement {
  try {
    return { ok: true, output: parseOutput(decodeOutput(run.result.stdout), run.format) }
  } catch (error) {
    if (!(error instanceof OutputError)) throw error
    // The program says that it succeeded. Behind a web page, though, nobody may have heard of the call.
    const meaning = verdict('OUTPUT_INVALID', { writeOutcome: error.html ? 'unknown' : 'applied' })
    return refused(meaning, error.message, judging)
  }
}

function isHttpFailure({ status, output }: RunFacts): boolean {
  return status !== null && (status >= 400 || output.status !== null)
}

/**
 * A tool that passes on an HTTP status has spoken to an API: what the status means there, it means here.
 * Under `parse: http` the headers come along, otherwise there are none.
 */
function judgeAsAnswer(run: FinishedRun, facts: RunFacts, judging: Judging): Failure {
  const said = facts.lines.map(withoutStatus).filter(line => line !== '')
  const answer: AnswerFacts = {
    answer: {
      ok: true,
      status: facts.status ?? 0,
      headers: facts.headers,
      text: facts.stdout,
      requests: 1,
    },
    body: facts.body,
    error: { ...facts.error, messages: said.length > 0 ? said : facts.error.messages },
    rule: facts,
  }
  return classifyAnswer(answer, {
    route: 'cli',
    upstream: run.tool,
    effect: run.effect,
    input: run.input,
    ...REQUEST,
    ...judging,
  })
}

/** The tool keeps to itself what it sent. Only redirects would be judged by it, and tools follow those. */
const REQUEST = { method: '', path: '', origin: '' } as const

/** `gh: Not Found (HTTP 404)` and `HTTP 404: Not Found` without what the message says anyway. */
function withoutStatus(line: string): string {
  return line
    .replace(/^[\w-]+: (?=.*\(HTTP \d{3}\)$)/, '')
    .replace(/ ?\(HTTP \d{3}\)$/, '')
    .replace(/(?<=^|: )HTTP \d{3}(?:: |$)/, '')
}

function judgeExit(run: FinishedRun, facts: RunFacts, { rules, secrets, now }: Judging): Failure {
  const meaning = judge(facts, rules, generalMeaning(facts))
  return toFailure(meaning, {
    headers: facts.headers,
    body: facts.body,
    words: meaning.message ?? explanation(run, facts),
    details: {
      ...errorDetails(facts.error.fields, facts.types, facts.headers),
      ...(isReported(facts) ? { reported_by: 'upstream' } : {}),
    },
    secrets,
    now,
  })
}

/** The tool only passes on what its service said: a timeout, for one, is then not the network's. */
function isReported({ types, messages }: RunFacts): boolean {
  return types.length > 0 || messages.some(message => /^Error (?:response )?from \w+/.test(message))
}

function generalMeaning(facts: RunFacts): Verdict {
  return (
    meaningOfStatus(facts) ??
    meaningOfCodes(facts.types) ??
    meaningOfExitCode(facts.exitCode)?.[0] ??
    meaningOfWords(facts.messages) ??
    meaningOfShellSignal(facts.exitCode)?.[0] ??
    verdict('UNKNOWN')
  )
}

function meaningOfStatus({ status, headers }: RunFacts): Verdict | null {
  return status === null || status < 300 ? null : verdictOfStatus(status, headers)
}

/** The dump of a Go or Rust program that broke down: its exit code is its runtime's, not its own. */
function isCrash({ stderr }: RunFacts): boolean {
  return /^goroutine \d+ \[|^panic: |^thread '.*' panicked at /m.test(stderr)
}

/** The tool's own first telling line; of a Python traceback it is the last. */
function explanation({ tool }: FinishedRun, { lines, error, exitCode }: RunFacts): string {
  const line = lines[0]?.startsWith('Traceback ') ? lines.at(-1) : lines[0]
  return line ?? error.messages[0] ?? `${tool} exited with code ${exitCode} and no explanation.`
}

function refused(meaning: Verdict, words: string, { secrets, now }: Judging): Judgement {
  const told = { headers: {}, body: null, words, details: {}, secrets, now }
  return { ok: false, failure: toFailure(meaning, told), output: NO_OUTPUT }
}
