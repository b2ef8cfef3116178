import { hasValue } from '../../src/lib/has-value.ts'
import { isObject } from '../../src/lib/is-object.ts'
import type { Failure } from '../../src/model/failure.ts'
import type { FailureRule } from '../../src/model/failure-rule.ts'
import { decide } from '../failures/decide.ts'
import { afterAppliedWork, afterSeveralSteps, toFailure } from '../failures/failure.ts'
import { withEvidence } from '../failures/progress.ts'
import { errorDetails } from '../failures/read/error-details.ts'
import { refusalVerdict } from '../failures/refusal.ts'
import { withReturnTime } from '../failures/return-time.ts'
import { acceptingRule, applyRules } from '../failures/rules.ts'
import { type Verdict, verdict } from '../failures/verdict.ts'
import { classifyAnswer } from '../http/judge/answer.ts'
import { withIntermediaries } from '../http/judge/intermediaries.ts'
import { type AnswerFacts, masked } from '../http/read/answer-facts.ts'
import { contradictsExit, isFailedOutput, isRefusal } from './contradiction.ts'
import { meaningOfEnding } from './endings.ts'
import { hasSucceeded, progressOf } from './how-far.ts'
import { type Output, OutputError, parseErrorOutput, readOutput } from './parse-output.ts'
import { askedForCredential } from './prompt.ts'
import { reportedWork } from './reported-work.ts'
import { decodeOutput, type FinishedRun, type RunFacts, readFacts } from './run-facts.ts'

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

type FailedRun = Extract<Judgement, { readonly ok: false }>

const NO_OUTPUT: Output = { body: null, status: null, headers: {} }

/**
 * Classifies a finished run: first by how it ended, then by the machine-readable parts of its output, and
 * by wording only if those say nothing.
 */
export function judgeRun(run: FinishedRun, judging: Judging): Judgement {
  const judgement = judgeEnd(run, judging)
  if (judgement.ok) return judgement
  const { failure, output } = judgement
  return {
    ok: false,
    failure: withEvidence(failure, progressOf(run, output, failure), run.effect),
    output,
  }
}

function judgeEnd(run: FinishedRun, judging: Judging): Judgement {
  const ending = meaningOfEnding(run.result)
  if (ending) {
    const [meaning, describe] = ending
    return failed(meaning, describe(run.tool), judging)
  }
  if (isAccepted(run)) return judgeOutput(run, judging)
  return hasSucceeded(run) ? judgeSuccess(run, judging) : judgeFailure(run, judging)
}

/** Whether the card accepts the printed status. Ignores the exit code: `gh api` exits with 1 at any 4xx. */
function isAccepted({ accept, format, result }: FinishedRun): boolean {
  if (accept.length === 0 || format !== 'http') return false
  const { status } = parseErrorOutput(decodeOutput(result.stdout), format)
  return status !== null && accept.includes(status)
}

/** Judges a run whose exit code means success. With `parse: http`, the printed status may contradict it. */
function judgeSuccess(run: FinishedRun, judging: Judging): Judgement {
  if (contradictsExit(run, judging.rules)) return judgeFailure(run, judging)
  const judgement = judgeOutput(run, judging)
  if (isFailedOutput(run, judgement.output)) return judgeFailure(run, judging)
  // Empty output is fine for a write; a read must return something, unless its card says otherwise.
  const mayBeEmpty = run.format !== 'json' || run.effect !== 'read' || run.acceptEmpty
  if (!judgement.ok || mayBeEmpty || judgement.output.body !== null) return judgement
  const message = `${run.tool} printed nothing, but JSON was expected.`
  return failed(verdict('OUTPUT_INVALID'), message, judging)
}

function judgeFailure(run: FinishedRun, judging: Judging): Judgement {
  const facts = readFacts(run)
  if (askedForCredential(facts.stdout, facts.stderr)) {
    const { failure } = failed(PROMPTED, prompted(run), judging)
    return { ok: false, failure: withParts(failure, run, facts), output: NO_OUTPUT }
  }
  if (isCrash(facts)) return failed(CRASHED, explanation(run, facts, CRASHED), judging)
  if (acceptingRule(facts, judging.rules)) return judgeOutput(run, judging)
  if (facts.status === 304 && run.effect === 'read') return unchanged(facts)
  const failure = isHttpFailure(facts)
    ? judgeAsAnswer(run, facts, judging)
    : judgeExit(run, facts, judging)
  const output = { ...facts.output, status: facts.status }
  return { ok: false, failure: withParts(failure, run, facts), output }
}

/** This program has no credential; another route may have one. */
const PROMPTED = verdict('AUTH', { fallback: true })

function prompted({ tool }: FinishedRun): string {
  return `${tool} asked for a credential, and nobody can answer it here.`
}

/** Notes the part of the work that was done, and the part of the data that arrived. */
function withParts(failure: Failure, { effect, input }: FinishedRun, facts: RunFacts): Failure {
  if (effect !== 'read') {
    // The body of a printed HTTP answer is the service's, and tells nothing of earlier requests.
    const stdout = facts.output.status === null ? facts.stdout : ''
    const work = reportedWork(stdout, facts.stderr, lines => masked(lines, input))
    const isDone = failure.writeOutcome === 'applied' || work === 'finished'
    if (isDone || isHalfDone(facts.body)) return afterAppliedWork(failure)
    return work === 'several' ? afterSeveralSteps(failure) : failure
  }
  const { body } = facts
  const partial = isObject(body) && Array.isArray(body.errors) && hasValue(body.data)
  return partial ? { ...failure, partial } : failure
}

/** Whether a GraphQL answer that the tool printed has errors, and shows that a mutation was carried out. */
function isHalfDone(body: unknown): boolean {
  if (!isObject(body) || !isObject(body.data) || !Array.isArray(body.errors)) return false
  const paths = body.errors.map((error: unknown) =>
    isObject(error) && Array.isArray(error.path) ? error.path : [],
  )
  const failedRoots = new Set(paths.map(([root]) => root))
  const others = Object.entries(body.data).filter(([root]) => !failedRoots.has(root))
  return paths.some(({ length }) => length > 1) || others.some(([, value]) => hasValue(value))
}

/** A 304 is no failure: it answers a condition of the request. */
function unchanged({ output }: RunFacts): Judgement {
  return { ok: true, output: { ...output, body: null, status: 304 } }
}

function judgeOutput(run: FinishedRun, judging: Judging): Judgement {
  const { maxParsedBytes = Number.POSITIVE_INFINITY } = run
  if (run.format === 'csv' && run.result.stdout.length > maxParsedBytes) {
    const message = `${run.tool} printed a table that is larger than max_parsed_bytes of the upstream allows; ask for less, raise it, or read it with parse: text.`
    return failed(verdict('TOO_LARGE', { writeOutcome: 'applied' }), message, judging)
  }
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
    error: { ...facts.error, messages: tellingMessages(facts, messages) },
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

/** The body of a printed answer says more than the line in which the tool sums it up. */
function tellingMessages({ output, error }: RunFacts, lines: readonly string[]): readonly string[] {
  const isPrinted = output.status !== null && error.messages.length > 0
  return isPrinted || lines.length === 0 ? error.messages : lines
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
    message: meaning.message ?? explanation(run, facts, meaning),
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
function isReported({ signals, messages }: RunFacts): boolean {
  const isCoded = signals.codes.some(({ origin }) => origin !== 'error chain')
  return isCoded || messages.some(message => /^Error (?:response )?from \w+/.test(message))
}

const CRASHED = verdict('UNKNOWN')

/** Whether a Go or Rust program panicked: its exit code then comes from its runtime. */
function isCrash({ stderr }: RunFacts): boolean {
  return /^goroutine \d+ \[|^panic: |^thread '.*' panicked at /m.test(stderr)
}

/**
 * The first relevant line of stderr, or the last one of a Python traceback. A failure that nothing explains names its exit
 * code too: a rule of the upstream can give it a meaning.
 */
function explanation(
  { tool }: FinishedRun,
  { lines, error, exitCode }: RunFacts,
  { code }: Verdict,
): string {
  const line = (lines[0]?.startsWith('Traceback ') ? lines.at(-1) : lines[0]) ?? error.messages[0]
  const exit = `${tool} exited with code ${exitCode}`
  if (line === undefined) return `${exit} and no explanation.`
  return code === 'UNKNOWN' && exitCode ? `${exit}: ${line}` : line
}

function failed(meaning: Verdict, message: string, { secrets, now }: Judging): FailedRun {
  const context = { headers: {}, body: null, message, details: {}, secrets, now }
  return { ok: false, failure: toFailure(meaning, context), output: NO_OUTPUT }
}
