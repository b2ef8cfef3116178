import type { Failure } from '../../src/model/failure.ts'
import type { FailureRule } from '../../src/model/failure-rule.ts'
import { decide } from '../failures/decide.ts'
import { afterAppliedWork, toFailure } from '../failures/failure.ts'
import { type Progress, withEvidence } from '../failures/progress.ts'
import { errorDetails } from '../failures/read/error-details.ts'
import { refusalVerdict } from '../failures/refusal.ts'
import { withReturnTime } from '../failures/return-time.ts'
import { acceptingRule, applyRules } from '../failures/rules.ts'
import { type Verdict, verdict } from '../failures/verdict.ts'
import { readErrorDocument } from '../failures/vocabulary/error-document.ts'
import { classifyAnswer, isNotReady } from '../http/judge/answer.ts'
import { withIntermediaries } from '../http/judge/intermediaries.ts'
import type { AnswerFacts } from '../http/read/answer-facts.ts'
import { meaningOfEnding, wasStopped } from './endings.ts'
import { type Output, OutputError, parseErrorOutput, readOutput } from './parse-output.ts'
import { reportsWork } from './reported-work.ts'
import { decodeOutput, type FinishedRun, type RunFacts, readFacts } from './run-facts.ts'
import { isUsageRefusal } from './usage.ts'

export interface Judging {
  /** The upstream's own rules, then those for the program. The first match counts. */
  readonly rules: readonly FailureRule[]
  /** Texts to redact from messages and details. */
  readonly secrets: readonly string[]
  readonly now: number
}

export type Judgement =
  | { readonly ok: true; readonly output: Output }
  | { readonly ok: false; readonly failure: Failure; readonly output: Output }

const NO_OUTPUT: Output = { body: null, status: null, headers: {} }

/**
 * Classifies a finished run: first by how it ended, then by the machine-readable parts of its output, and
 * by wording only if those say nothing.
 */
export function judgeRun(run: FinishedRun, judging: Judging): Judgement {
  const judgement = judgeEnd(run, judging)
  if (judgement.ok) return judgement
  const { failure, output } = judgement
  return { ok: false, failure: withEvidence(failure, progressOf(run, output), run.effect), output }
}

/** How far the program got, by facts that its messages cannot change. */
function progressOf(run: FinishedRun, output: Output): Progress {
  const { status } = output
  const { exitCode, spawnError, stderr } = run.result
  if (spawnError) return wasStopped(run.result) ? 'unseen' : 'not_started'
  const succeeded = exitCode !== null && run.okExitCodes.includes(exitCode)
  if (succeeded && !isRefusal(run, output)) return 'answer_read'
  if (run.format === 'http' && status !== null) return 'answer_read'
  if (run.oneRequest) return 'reported'
  return isUsageRefusal(run.tool, exitCode, decodeOutput(stderr)) ? 'refused_as_usage' : 'unseen'
}

function judgeEnd(run: FinishedRun, judging: Judging): Judgement {
  const ending = meaningOfEnding(run.result)
  if (ending) {
    const [meaning, describe] = ending
    return failed(meaning, describe(run.tool), judging)
  }
  const { exitCode } = run.result
  if (isAccepted(run)) return judgeOutput(run, judging)
  const succeeded = exitCode !== null && run.okExitCodes.includes(exitCode)
  return succeeded ? judgeSuccess(run, judging) : judgeFailure(run, judging)
}

/** Whether the card accepts the printed status. Ignores the exit code: `gh api` exits with 1 at any 4xx. */
function isAccepted({ accept, format, result }: FinishedRun): boolean {
  if (accept.length === 0 || format !== 'http') return false
  const { status } = parseErrorOutput(decodeOutput(result.stdout), format)
  return status !== null && accept.includes(status)
}

/** Judges a run whose exit code means success. With `parse: http`, the printed status may contradict it. */
function judgeSuccess(run: FinishedRun, judging: Judging): Judgement {
  const judgement = judgeOutput(run, judging)
  const { status, body } = judgement.output
  if (status !== null && (status >= 400 || isNotReady(status, run))) {
    return judgeFailure(run, judging)
  }
  if (isRefusal(run, judgement.output)) return judgeFailure(run, judging)
  // Empty output is fine for a write; a read must return something.
  const isEmptyRead = run.format === 'json' && run.effect === 'read' && body === null
  if (!judgement.ok || !isEmptyRead) return judgement
  const message = `${run.tool} printed nothing, but JSON was expected.`
  return failed(verdict('OUTPUT_INVALID'), message, judging)
}

/** Whether the program printed an error document and exits as after a success. */
function isRefusal({ format, asked }: FinishedRun, { body }: Output): boolean {
  return (format === 'json' || format === 'http') && readErrorDocument(body, asked) !== null
}

function judgeFailure(run: FinishedRun, judging: Judging): Judgement {
  const facts = readFacts(run)
  if (isCrash(facts)) return failed(verdict('UNKNOWN'), explanation(run, facts), judging)
  if (acceptingRule(facts, judging.rules)) return judgeOutput(run, judging)
  if (facts.status === 304 && run.effect === 'read') return unchanged(facts)
  const failure = isHttpFailure(facts)
    ? judgeAsAnswer(run, facts, judging)
    : judgeExit(run, facts, judging)
  const partial = run.effect !== 'read' && reportsWork(facts.stdout)
  const output = { ...facts.output, status: facts.status }
  return { ok: false, failure: partial ? afterAppliedWork(failure) : failure, output }
}

/** A 304 is no failure: it answers a condition of the request. */
function unchanged({ output }: RunFacts): Judgement {
  return { ok: true, output: { ...output, body: null, status: 304 } }
}

function judgeOutput(run: FinishedRun, judging: Judging): Judgement {
  try {
    return { ok: true, output: readOutput(run.result.stdout, run.format, run.csv) }
  } catch (error) {
    if (!(error instanceof OutputError)) throw error
    // The exit code confirms a write, except with a web page: the call may not have reached the API.
    const meaning = verdict('OUTPUT_INVALID', { writeOutcome: error.html ? 'unknown' : 'applied' })
    return failed(meaning, error.message, judging)
  }
}

function isHttpFailure({ status, output }: RunFacts): boolean {
  return status !== null && (status >= 400 || output.status !== null)
}

/**
 * Judges a tool that reports an HTTP status like the API's own answer. The headers are known only with
 * `parse: http`.
 */
function judgeAsAnswer(run: FinishedRun, facts: RunFacts, judging: Judging): Failure {
  const messages = facts.lines.map(withoutStatus).filter(line => line !== '')
  const answer: AnswerFacts = {
    answer: {
      ok: true,
      status: facts.status ?? 0,
      headers: facts.headers,
      text: facts.stdout,
      requests: 1,
    },
    body: facts.body,
    error: { ...facts.error, messages: messages.length > 0 ? messages : facts.error.messages },
    ruleFacts: facts,
    signals: facts.signals,
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

/** The tool's request is unknown. Only redirects are judged by the request, and tools follow those. */
const REQUEST = { method: '', path: '', origin: '' } as const

/** Drops the status, which the message repeats: `gh: Not Found (HTTP 404)`, `HTTP 404: Not Found`. */
function withoutStatus(line: string): string {
  return line
    .replace(/^[\w-]+: (?=.*\(HTTP \d{3}\)$)/, '')
    .replace(/ ?\(HTTP \d{3}\)$/, '')
    .replace(/(?<=^|: )HTTP \d{3}(?:: |$)/, '')
}

function judgeExit(run: FinishedRun, facts: RunFacts, { rules, secrets, now }: Judging): Failure {
  const general = generalMeaning(run, facts, now)
  const meaning = applyRules(facts, withIntermediaries(rules), general)
  return toFailure(meaning, {
    headers: facts.headers,
    body: facts.body,
    message: meaning.message ?? explanation(run, facts),
    details: {
      ...errorDetails(facts.error.fields, facts.types, facts.headers),
      ...(isReported(facts) ? { reported_by: 'upstream' } : {}),
    },
    secrets,
    now,
  })
}

function generalMeaning(run: FinishedRun, facts: RunFacts, now: number): Verdict {
  const { signals, headers, body, messages } = facts
  const refusal = { headers, body, messages, now }
  return isRefusal(run, facts.output)
    ? refusalVerdict(signals, refusal)
    : withReturnTime(decide(signals), refusal)
}

/** Whether the tool only repeats its service's error: a TIMEOUT is then the service's, not the network's. */
function isReported({ types, messages }: RunFacts): boolean {
  return types.length > 0 || messages.some(message => /^Error (?:response )?from \w+/.test(message))
}

/** Whether a Go or Rust program panicked: its exit code then comes from its runtime. */
function isCrash({ stderr }: RunFacts): boolean {
  return /^goroutine \d+ \[|^panic: |^thread '.*' panicked at /m.test(stderr)
}

/** The first relevant line of stderr, or the last one of a Python traceback. */
function explanation({ tool }: FinishedRun, { lines, error, exitCode }: RunFacts): string {
  const line = lines[0]?.startsWith('Traceback ') ? lines.at(-1) : lines[0]
  return line ?? error.messages[0] ?? `${tool} exited with code ${exitCode} and no explanation.`
}

function failed(meaning: Verdict, message: string, { secrets, now }: Judging): Judgement {
  const context = { headers: {}, body: null, message, details: {}, secrets, now }
  return { ok: false, failure: toFailure(meaning, context), output: NO_OUTPUT }
}
