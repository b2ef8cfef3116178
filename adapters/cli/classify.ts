import type { FailureRule } from '../../src/cards/failure-rules.ts'
import type { Failure } from '../../src/outcome.ts'
import type { AnswerFacts } from '../http/answer-facts.ts'
import { judge } from '../http/classify.ts'
import { errorDetails } from '../http/error-details.ts'
import { toFailure } from '../http/failure.ts'
import { verdictOfStatus } from '../http/status.ts'
import { type Verdict, verdict } from '../http/verdict.ts'
import { classifyAnswer } from '../rest/classify.ts'
import { meaningOfCodes } from './code-names.ts'
import { meaningOfEnding, meaningOfExitCode, meaningOfShellSignal } from './endings.ts'
import { type Output, OutputError, parseOutput } from './parse-output.ts'
import { meaningOfWords } from './phrases/phrases.ts'
import { reportsWork } from './reported-work.ts'
import { type FinishedRun, type RunFacts, readFacts } from './run-facts.ts'

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
  const facts = readFacts(run)
  const rule = judging.rules.find(candidate => candidate.matches(facts))
  if (rule?.outcome.ok || isSuccess(run, facts)) return judgeOutput(run, facts, judging)
  const failure = isHttpFailure(facts)
    ? judgeAsAnswer(run, facts, judging)
    : judgeExit(run, facts, judging)
  const output = { ...facts.output, status: facts.status }
  return { ok: false, failure: afterPartialWork(run, facts, failure), output }
}

/** An exit code that means success, unless the HTTP status that was printed contradicts. */
function isSuccess({ okExitCodes }: FinishedRun, { exitCode, output }: RunFacts): boolean {
  return exitCode !== null && okExitCodes.includes(exitCode) && (output.status ?? 200) < 400
}

function judgeOutput(run: FinishedRun, facts: RunFacts, judging: Judging): Judgement {
  try {
    const output = parseOutput(facts.stdout, run.format)
    return isSilent(run, facts, output)
      ? refused(
          verdict('OUTPUT_INVALID'),
          `${run.tool} printed nothing where JSON was expected.`,
          judging,
        )
      : { ok: true, output }
  } catch (error) {
    if (!(error instanceof OutputError)) throw error
    // The program says that it succeeded. Behind a web page, though, nobody may have heard of the call.
    const meaning = verdict('OUTPUT_INVALID', { writeOutcome: error.html ? 'unknown' : 'applied' })
    return refused(meaning, error.message, judging)
  }
}

/** A change may well be answered without a word; to a question that is no answer. */
function isSilent(
  { format, effect }: FinishedRun,
  { exitCode }: RunFacts,
  { body }: Output,
): boolean {
  return format === 'json' && effect === 'read' && exitCode === 0 && body === null
}

function isHttpFailure({ status }: RunFacts): boolean {
  return status !== null && status >= 400
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
    details: errorDetails(facts.error.fields, facts.types, facts.headers),
    secrets,
    now,
  })
}

function generalMeaning(facts: RunFacts): Verdict {
  return (
    meaningOfCrash(facts) ??
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

/** The dump of a Go or Rust program that broke down; what it did until then is not known. */
function meaningOfCrash({ stderr }: RunFacts): Verdict | null {
  const crashed = /^goroutine \d+ \[|^panic: |^thread '.*' panicked at /m.test(stderr)
  return crashed ? verdict('UNKNOWN') : null
}

/** The tool's own first telling line; of a Python traceback it is the last. */
function explanation({ tool }: FinishedRun, { lines, error, exitCode }: RunFacts): string {
  const line = lines[0]?.startsWith('Traceback ') ? lines.at(-1) : lines[0]
  return line ?? error.messages[0] ?? `${tool} exited with code ${exitCode} and no explanation.`
}

/** A repetition would do the finished part twice, whatever the failure of the rest was. */
function afterPartialWork(run: FinishedRun, { stdout }: RunFacts, failure: Failure): Failure {
  if (run.effect === 'read' || !reportsWork(stdout)) return failure
  return {
    ...failure,
    writeOutcome: 'applied',
    partial: true,
    retryable: false,
    fallback: false,
  }
}

function refused(meaning: Verdict, words: string, { secrets, now }: Judging): Judgement {
  const told = { headers: {}, body: null, words, details: {}, secrets, now }
  return { ok: false, failure: toFailure(meaning, told), output: NO_OUTPUT }
}
