import type { FailureFacts } from '../../src/model/failure-rule.ts'
import type { Effect } from '../../src/model/route.ts'
import { masked } from '../http/read/answer-facts.ts'
import { type ErrorBody, readErrorBody } from '../http/read/error-body.ts'
import { codesIn, extensionCodes, statusIn, statusInBody } from './machine-facts.ts'
import { documentAmong, type Output, parseErrorOutput } from './parse-output.ts'
import type { ProcessResult } from './process-runner.ts'
import type { OutputFormat } from './schema.ts'
import { tellingLines } from './stderr-lines.ts'

/** A run that is over, and what has to be known to judge it. */
export interface FinishedRun {
  readonly result: ProcessResult
  /** The program's name, for messages. */
  readonly tool: string
  readonly format: OutputFormat
  readonly okExitCodes: readonly number[]
  /** Statuses of success beside 2xx, with `parse: http`. */
  readonly accept: readonly number[]
  readonly effect: Effect
  /** What the caller gave: its words may come back in messages, and must not decide anything. */
  readonly input: unknown
}

/** What a program that exited has printed, taken apart once. */
export interface RunFacts extends FailureFacts {
  readonly output: Output
  readonly stdout: string
  /** Telling lines of stderr as they were printed; `messages` holds them masked. */
  readonly lines: readonly string[]
  readonly error: ErrorBody
}

export function readFacts({ result, format, input }: FinishedRun): RunFacts {
  const stdout = decodeOutput(result.stdout)
  const stderr = decodeOutput(result.stderr)
  const output = parseErrorOutput(stdout, format)
  const lines = tellingLines(stderr)
  const maskedLines = masked(lines, input)
  const body = isObject(output.body) ? output.body : documentAmong(stderr)
  const error = readErrorBody(isObject(body) ? body : null)
  return {
    route: 'cli',
    status: output.status ?? statusIn(maskedLines) ?? statusInBody(body),
    headers: output.headers,
    body: body ?? output.body,
    messages: [...maskedLines, ...masked(error.messages, input)],
    types: [...codesIn(lines), ...error.codes, ...extensionCodes(body)],
    exitCode: result.exitCode,
    stderr,
    output,
    stdout,
    lines,
    error,
  }
}

/** Bytes that are no UTF-8 become U+FFFD: a title in Latin-1 must not cost the whole answer. */
export function decodeOutput(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

function isObject(value: unknown): boolean {
  return value !== null && typeof value === 'object'
}
