import type { FailureFacts } from '../../src/cards/failure-rules.ts'
import type { Effect } from '../../src/outcome.ts'
import { type ErrorBody, readErrorBody } from '../http/error-body.ts'
import { codesIn, extensionCodes, statusIn, statusInBody } from './machine-facts.ts'
import { maskChosenWords } from './mask.ts'
import { type Output, parseErrorOutput } from './parse-output.ts'
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
  readonly effect: Effect
  /** Texts of the caller's input, which must not decide what a message means. */
  readonly ownWords: readonly string[]
}

/** What a program that exited has printed, taken apart once. */
export interface RunFacts extends FailureFacts {
  readonly output: Output
  readonly stdout: string
  /** Telling lines of stderr as they were printed; `messages` holds them masked. */
  readonly lines: readonly string[]
  readonly error: ErrorBody
}

export function readFacts({ result, format, ownWords }: FinishedRun): RunFacts {
  const stdout = decodeOutput(result.stdout)
  const stderr = decodeOutput(result.stderr)
  const output = parseErrorOutput(stdout, format)
  const lines = tellingLines(stderr)
  const masked = lines.map(line => maskChosenWords(line, ownWords))
  const error = readErrorBody(isObject(output.body) ? output.body : null)
  return {
    route: 'cli',
    status: output.status ?? statusIn(masked) ?? statusInBody(output.body),
    headers: output.headers,
    body: output.body,
    messages: [...masked, ...error.messages.map(text => maskChosenWords(text, ownWords))],
    types: [...codesIn(lines), ...error.codes, ...extensionCodes(output.body)],
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
