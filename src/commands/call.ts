import { text } from 'node:stream/consumers'
import { answerError } from '../answer/answer.ts'
import { execute, explain } from '../call/execute.ts'
import { findCard } from '../cards/catalog.ts'
import type { Engine } from '../engine/engine.ts'
import { beginExecution } from '../engine/execution.ts'
import type { Caller } from '../model/caller.ts'
import type { JsonSchema } from '../model/card.ts'
import { GatewayError } from '../model/errors.ts'
import type { ExecuteRequest } from '../model/execute-request.ts'
import { checkIdempotencyKey } from '../model/idempotency-key.ts'
import type { Route } from '../model/route.ts'
import { SCOPES } from '../model/scopes.ts'
import { findProfile } from '../render/profiles/index.ts'
import { PLAIN, renderAnswer } from '../render/render.ts'
import { openEngine } from './engine.ts'
import type { CommonOptions } from './options.ts'

export interface CallOptions extends CommonOptions {
  readonly route?: Route
  readonly timeoutMs?: number
  readonly profile?: string
  readonly idempotencyKey?: string
}

/** One call; the envelope goes to stdout, and the exit code is 0 only if it is `ok`. */
export async function call(
  id: string,
  words: readonly string[],
  options: CallOptions,
): Promise<void> {
  await using engine = await openEngine(options, {
    remembers: options.idempotencyKey !== undefined,
  })
  await told(engine, id, async () => {
    const { profile = PLAIN.profile } = options
    const presentation = { ...PLAIN, profile: findProfile(profile) }
    const answer = await execute(engine, await toRequest(engine, id, words, options))
    print(JSON.parse(renderAnswer(engine, answer, presentation).body))
    process.exitCode = answer.envelope.ok ? 0 : 1
  })
}

/** The plan for an input. */
export async function explainCall(
  id: string,
  words: readonly string[],
  options: CallOptions,
): Promise<void> {
  await using engine = await openEngine(options)
  await told(engine, id, async () =>
    print(await explain(engine, await toRequest(engine, id, words, options))),
  )
}

/** Errors before the pipeline (an unknown field, unreadable JSON) are told in an envelope as well. */
async function told<T>(engine: Engine, capability: string, work: () => Promise<T>) {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    const answer = answerError(
      beginExecution(engine, { capability, input: null, caller: CALLER }),
      error,
    )
    print(answer.envelope)
    process.exit(1)
  }
}

const CALLER: Caller = { name: 'cli', operator: true, scopes: SCOPES }

async function toRequest(
  engine: Engine,
  capability: string,
  words: readonly string[],
  { route, timeoutMs, idempotencyKey }: CallOptions,
): Promise<ExecuteRequest> {
  const input =
    words[0] === '-'
      ? parseJson(await text(process.stdin))
      : parseFields(findCard(engine.catalog, capability).input, words)
  return {
    capability,
    input,
    caller: CALLER,
    ...(route ? { route } : {}),
    ...(timeoutMs ? { timeoutMs } : {}),
    ...(idempotencyKey === undefined
      ? {}
      : { idempotencyKey: checkIdempotencyKey(idempotencyKey) }),
  }
}

/** `field=value`: text where the schema wants text, JSON elsewhere. */
function parseFields(schema: JsonSchema, words: readonly string[]): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as Record<string, { type?: unknown }>
  return Object.fromEntries(
    words.map(word => {
      const at = word.indexOf('=')
      if (at < 1) throw invalid(`"${word}" is not of the form field=value`)
      const [name, value] = [word.slice(0, at), word.slice(at + 1)]
      return [name, properties[name]?.type === 'string' ? value : jsonOrText(value)]
    }),
  )
}

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch (error) {
    throw invalid(`standard input is not JSON: ${(error as Error).message}`)
  }
}

function invalid(message: string): GatewayError {
  return new GatewayError('VALIDATION', `${message}.`, { source: 'caller' })
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}
