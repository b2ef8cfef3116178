import { text } from 'node:stream/consumers'
import { mayCall } from '../access/permission.ts'
import { answerError } from '../answer/to-answer.ts'
import { execute } from '../call/execute.ts'
import { explain } from '../call/explain.ts'
import { findCard } from '../cards/catalog.ts'
import type { Engine } from '../engine/engine.ts'
import { beginExecution } from '../engine/execution.ts'
import { parseJson } from '../lib/exact-json.ts'
import { isTooDeep } from '../lib/nesting.ts'
import { checkWords } from '../model/call-words.ts'
import type { Caller } from '../model/caller.ts'
import type { JsonSchema } from '../model/card.ts'
import type { Answer } from '../model/envelope.ts'
import { GatewayError } from '../model/errors.ts'
import type { ExecuteRequest } from '../model/execute-request.ts'
import { memoryOf } from '../model/memory.ts'
import { FLAG_NAMES } from '../model/option-names.ts'
import type { Route } from '../model/route.ts'
import { createFitting } from '../render/fitting.ts'
import { linesOf } from '../render/notes.ts'
import { findProfile } from '../render/profiles/index.ts'
import { type Rendered, renderAnswer } from '../render/render.ts'
import { approvalsFor, callerOf } from './caller.ts'
import { openEngine } from './open-engine.ts'
import { type CommonOptions, readSettings } from './options.ts'
import { printError, printJson } from './output.ts'
import { presentationOf } from './presentation.ts'
import { invalid, readJson, tooDeep } from './read-json.ts'

export interface CallOptions extends CommonOptions {
  readonly route?: Route
  readonly timeoutMs?: number
  readonly profile?: string
  readonly fields?: string
  readonly tokenBudget?: number
  readonly idempotencyKey?: string
  readonly correlationId?: string
  readonly maxAgeMs?: number
  readonly staleIfErrorMs?: number
  readonly key?: string
  readonly approval?: string
  readonly reason?: string
}

/** Runs one call and prints its envelope. The exit code is 0 only if the envelope is `ok`. */
export async function call(
  id: string,
  words: readonly string[],
  options: CallOptions,
): Promise<void> {
  const settings = readSettings(process.env, options)
  const caller = callerOf(settings, options.key, 'cli')
  await using engine = await openEngine(options, {
    calls: true,
    keepsAnswers: options.idempotencyKey !== undefined,
    approvals: approvalsFor(caller, settings),
  })
  const { fit, render } = createFitting(engine, presentationOf(caller, options))
  const answer = await withEnvelope(engine, { id, caller }, async () => {
    if (options.profile !== undefined) findProfile(options.profile)
    const request = await toRequest(engine, id, words, { ...options, caller })
    return await execute(engine, { ...request, fit })
  })
  print(render(answer))
}

function print({ body, envelope, unsaid }: Rendered): void {
  printJson(parseJson(body))
  for (const line of linesOf(unsaid)) printError(line)
  process.exitCode = envelope.ok ? 0 : 1
}

/** Prints the plan for an input. */
export async function explainCall(
  id: string,
  words: readonly string[],
  options: CallOptions,
): Promise<void> {
  await using engine = await openEngine(options, { calls: true })
  const caller = callerOf(readSettings(process.env, options), options.key, 'cli')
  const refusal = await withEnvelope(engine, { id, caller }, async () => {
    printJson(await explain(engine, await toRequest(engine, id, words, { ...options, caller })))
    return null
  })
  if (refusal) print(renderAnswer(engine, refusal, presentationOf(caller, {})))
}

/** Makes an answer of errors before the pipeline too, such as input that is not JSON. */
async function withEnvelope<T>(
  engine: Engine,
  { id, caller }: { readonly id: string; readonly caller: Caller },
  work: () => Promise<T>,
): Promise<T | Answer> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return answerError(beginExecution(engine, { capability: id, input: null, caller }), error)
  }
}

async function toRequest(
  engine: Engine,
  capability: string,
  words: readonly string[],
  options: CallOptions & { caller: Caller },
): Promise<ExecuteRequest> {
  const { route, timeoutMs, caller, fields, profile, tokenBudget } = options
  const { maxAgeMs: max_age_ms, staleIfErrorMs: stale_if_error_ms } = options
  const memory = memoryOf({ max_age_ms, stale_if_error_ms })
  const input =
    words[0] === '-'
      ? readJson(await text(process.stdin), 'standard input')
      : readWords(findCard(engine.catalog, capability, card => mayCall(caller, card)).input, words)
  return {
    capability,
    input,
    caller,
    ...(route ? { route } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(fields === undefined ? {} : { fields }),
    ...(memory === undefined ? {} : { memory }),
    shown: {
      ...(profile === undefined ? {} : { profile }),
      ...(tokenBudget === undefined ? {} : { tokenBudget }),
    },
    ...checkWords(options, FLAG_NAMES),
  }
}

/** Reads `field=value` words. The value is text if the schema says string; otherwise JSON, or else text. */
function readWords(schema: JsonSchema, words: readonly string[]): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as Record<string, { type?: unknown }>
  return Object.fromEntries(
    words.map(word => {
      const at = word.indexOf('=')
      if (at < 1) {
        const forms = 'write field=value words, or - for JSON on standard input'
        throw invalid(`"${word}" is not of the form field=value: ${forms}`)
      }
      const [name, value] = [word.slice(0, at), word.slice(at + 1)]
      return [name, properties[name]?.type === 'string' ? value : jsonOrText(value)]
    }),
  )
}

function jsonOrText(value: string): unknown {
  // The text would overflow the stack of a parser, and nobody means it as a text.
  if (isTooDeep(value)) throw tooDeep('a value')
  try {
    return parseJson(value)
  } catch {
    return value
  }
}
