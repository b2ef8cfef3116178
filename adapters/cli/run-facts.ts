import type { CsvSource } from '../../src/model/csv-source.ts'
import type { FailureFacts } from '../../src/model/failure-rule.ts'
import type { Effect } from '../../src/model/route.ts'
import { type ErrorBody, readErrorBody } from '../failures/read/error-body.ts'
import { exceptionsIn } from '../failures/read/exceptions.ts'
import { codesIn, extensionCodes, statusIn, statusInBody } from '../failures/read/printed-facts.ts'
import { type Signal, type Signals, signal } from '../failures/signals.ts'
import { errnosIn } from '../failures/vocabulary/errno.ts'
import { meaningOfExit } from '../failures/vocabulary/exit-codes.ts'
import { sqlStatesIn } from '../failures/vocabulary/sqlstate.ts'
import { masked } from '../http/read/answer-facts.ts'
import { documentAmong, type Output, parseErrorOutput } from './parse-output.ts'
import type { ProcessResult } from './process-runner.ts'
import type { OutputFormat } from './schema.ts'
import { relevantLines } from './stderr-lines.ts'

/** A finished run, with everything that its judgement needs. */
export interface FinishedRun {
  readonly result: ProcessResult
  /** The program's name, for messages. */
  readonly tool: string
  readonly format: OutputFormat
  /** With `parse: csv`: the form of the table. */
  readonly csv?: CsvSource | undefined
  /** The longest table that is parsed. @default any */
  readonly maxParsedBytes?: number
  readonly okExitCodes: readonly number[]
  /** With `parse: http`: more statuses that count as success. */
  readonly accept: readonly number[]
  /** Members of the output that the card asks for. */
  readonly asked: ReadonlySet<string>
  readonly effect: Effect
  /** The fixed words of the command. */
  readonly command: readonly string[]
  /** Whether a read may print nothing. */
  readonly acceptEmpty: boolean
  /** Whether the program sends at most one request that changes anything, as its last. */
  readonly oneRequest: boolean
  /** The caller's input. Messages may quote it, so its words must not decide anything. */
  readonly input: unknown
}

/** The output of a program that exited, parsed once. */
export interface RunFacts extends FailureFacts {
  readonly output: Output
  readonly stdout: string
  /** The relevant lines of stderr as printed; `messages` holds them masked. */
  readonly lines: readonly string[]
  readonly error: ErrorBody
  readonly signals: Signals
}

export function readFacts({ result, tool, format, input }: FinishedRun): RunFacts {
  const stdout = decodeOutput(result.stdout)
  const stderr = decodeOutput(result.stderr)
  const output = parseErrorOutput(stdout, format)
  const lines = linesOf(stdout, stderr, output)
  const maskedLines = masked(lines, input)
  const body = isDocument(output.body) ? output.body : documentAmong(stderr)
  const error = readErrorBody(isDocument(body) ? body : null)
  const status = statusOf(output, [...maskedLines, ...masked(error.messages, input)], body)
  const codes = [
    ...codesIn(lines).map(code => signal(code, 'stderr')),
    ...printedCodes(maskedLines).map(code => signal(code, 'error chain')),
    ...[...error.codes, ...extensionCodes(body)].map(code => signal(code, 'body')),
  ]
  const { headers } = output
  const messages = [...maskedLines, ...masked(error.messages, input)]
  const exit = result.exitCode === null ? null : meaningOfExit(tool, result.exitCode)
  return {
    route: 'cli',
    status: status?.value ?? null,
    headers,
    body: body ?? output.body,
    messages,
    types: codes.map(({ value }) => value),
    exitCode: result.exitCode,
    stderr,
    output,
    stdout,
    lines,
    error,
    signals: { status, headers, codes, exit, messages },
  }
}

/** The lines about the failure. Programs that print nothing on stderr explain it on stdout. */
function linesOf(stdout: string, stderr: string, { body }: Output): string[] {
  const lines = relevantLines(stderr)
  return lines.length > 0 || isDocument(body) ? lines : relevantLines(stdout).slice(-MAX_LINES)
}

const MAX_LINES = 20

function statusOf(
  output: Output,
  maskedLines: readonly string[],
  body: unknown,
): Signal<number> | null {
  if (output.status !== null) return signal(output.status, 'stdout')
  const printed = statusIn(maskedLines)
  if (printed !== null) return signal(printed, 'stderr')
  const repeated = statusInBody(body)
  return repeated === null ? null : signal(repeated, 'body')
}

/** Names of errors in lines without the words that users chose. */
function printedCodes(maskedLines: readonly string[]): string[] {
  const lines = maskedLines.toReversed()
  return [
    ...lines.flatMap(line => [...errnosIn(line), ...sqlStatesIn(line)]),
    ...exceptionsIn(maskedLines),
  ]
}

/** Decodes UTF-8 for messages and patterns. Invalid bytes become U+FFFD: a failure must stay readable. */
export function decodeOutput(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

/** Whether a value is a JSON object or array. */
function isDocument(value: unknown): boolean {
  return value !== null && typeof value === 'object'
}
