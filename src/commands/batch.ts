import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { BatchBody, type BatchResults } from '../../routes/support/batch-schema.ts'
import { type AskedBatch, explainBatch, makeBatch } from '../../routes/support/make-batch.ts'
import { ownMeta } from '../../routes/support/own-meta.ts'
import { createCalls } from '../call/calls.ts'
import { compileInput } from '../cards/validate.ts'
import type { Engine } from '../engine/engine.ts'
import type { Settings } from '../gateway/config.ts'
import { parseJson } from '../lib/exact-json.ts'
import { isObject } from '../lib/is-object.ts'
import { createIdFactory } from '../lib/request-id.ts'
import { NEVER } from '../lib/signal.ts'
import { checkWords } from '../model/call-words.ts'
import type { Caller } from '../model/caller.ts'
import { COMMAND_DOOR } from '../model/door.ts'
import type { Answer, Meta } from '../model/envelope.ts'
import { GatewayError } from '../model/errors.ts'
import { describeGatewayError, failedAnswer } from '../model/failed-envelope.ts'
import { FLAG_NAMES } from '../model/option-names.ts'
import { findProfile } from '../render/profiles/index.ts'
import { PLAIN, renderAnswer } from '../render/render.ts'
import { approvalsFor, callerOf } from './caller.ts'
import { openEngine } from './open-engine.ts'
import { type CommonOptions, readSettings } from './options.ts'
import { printJson } from './output.ts'
import { presentationOf } from './presentation.ts'
import { invalid, readJson } from './read-json.ts'

export interface BatchOptions extends CommonOptions {
  readonly explain?: boolean
  readonly timeoutMs?: number
  readonly profile?: string
  readonly tokenBudget?: number
  readonly stopOnError?: boolean
  readonly correlationId?: string
  readonly key?: string
}

/**
 * Makes the calls of a batch, and prints the envelope that `POST /v1/batch` would answer. The exit code is 0 only if every
 * call is ok.
 * @param file a file with the body of a batch; `-` or nothing for standard input
 */
export async function batch(file: string | undefined, options: BatchOptions): Promise<void> {
  const settings = readSettings(process.env, options)
  const caller = callerOf(settings, options.key, 'cli')
  const { correlationId } = options
  const request = { id: createId(), correlationId, startedAt: performance.now() }
  const metaNow = (reason: Meta['reason'] = null) => ownMeta(request, reason)
  const { text: printed, answer } = await answerOf({ file, options, settings, caller, metaNow })
  printJson(parseJson(printed))
  process.exitCode = isWhole(answer) ? 0 : 1
}

const createId = createIdFactory()

interface Work {
  readonly file: string | undefined
  readonly options: BatchOptions
  readonly settings: Settings
  readonly caller: Caller
  readonly metaNow: (reason?: Meta['reason']) => Meta
}

interface Printed {
  readonly text: string
  readonly answer: Answer
}

async function answerOf(work: Work): Promise<Printed> {
  const { options, settings, caller } = work
  const body = await readBody(work).catch(refusal)
  await using engine = await openEngine(options, {
    calls: true,
    keepsAnswers: 'calls' in body && body.calls.some(hasKey),
    approvals: approvalsFor(caller, settings),
  })
  const made = 'calls' in body ? await run(engine, work, body).catch(refusal) : body
  if (!(made instanceof GatewayError)) return { text: JSON.stringify(made.envelope), answer: made }
  // Refused as a whole, in the dialect of the envelopes, as over HTTP.
  const meta = work.metaNow(made.code === 'VALIDATION' ? 'INPUT_VALIDATION' : null)
  const answer = failedAnswer(describeGatewayError(made, null), meta, made.status)
  return {
    text: renderAnswer(engine, answer, presentationOf(caller, toEnvelopes(options))).body,
    answer,
  }
}

function refusal(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  throw error
}

function hasKey(call: unknown): boolean {
  return isObject(call) && call.idempotency_key !== undefined
}

async function run(engine: Engine, work: Work, body: BatchBody): Promise<Answer> {
  const asked = toBatch(work, body)
  return work.options.explain === true
    ? await explainIt(engine, asked)
    : await makeIt(engine, work, asked)
}

/** The budget of a batch is that of the whole answer, and no budget of each envelope. */
function toEnvelopes({ profile }: BatchOptions): Pick<BatchOptions, 'profile'> {
  return profile === undefined ? {} : { profile }
}

const parseBody = compileInput('batch', BatchBody)

/** Options win over the members of the body. */
async function readBody({ file, options }: Work): Promise<BatchBody> {
  const { tokenBudget, stopOnError } = options
  const body = parseBody(await read(file)) as BatchBody
  return {
    ...body,
    ...(tokenBudget === undefined ? {} : { token_budget: tokenBudget }),
    ...(stopOnError === undefined ? {} : { stop_on_error: stopOnError }),
  }
}

async function read(file: string | undefined): Promise<unknown> {
  if (file === undefined || file === '-') {
    return readJson(await text(process.stdin), 'standard input')
  }
  const content = await readFile(file, 'utf8').catch((error: Error) => {
    throw invalid(`the file cannot be read: ${error.message}`)
  })
  return readJson(content, 'the file')
}

function toBatch({ options, caller, metaNow }: Work, body: BatchBody): AskedBatch {
  if (options.profile !== undefined) findProfile(options.profile)
  return {
    body,
    shared: { caller, ...checkWords({ correlationId: options.correlationId }, FLAG_NAMES) },
    presentation: presentationOf(caller, toEnvelopes(options)),
    metaNow,
    write: answer => JSON.stringify(answer.envelope, null, 2),
  }
}

async function explainIt(engine: Engine, asked: AskedBatch): Promise<Answer> {
  const data = await explainBatch(createCalls(engine), engine, asked)
  return { envelope: { ok: true, data, error: null, meta: asked.metaNow() }, status: 200 }
}

async function makeIt(engine: Engine, { options }: Work, asked: AskedBatch): Promise<Answer> {
  const { timeoutMs } = options
  const answer = await makeBatch(createCalls(engine), engine, asked, {
    batch: { id: createId() },
    signal: NEVER,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })
  if (answer.envelope.ok) return answer
  const tokenBudget = asked.body.token_budget ?? null
  const { envelope } = renderAnswer(engine, answer, { ...PLAIN, tokenBudget, door: COMMAND_DOOR })
  return { ...answer, envelope }
}

/** Whether every call is ok, or could begin. */
function isWhole({ envelope }: Answer): boolean {
  if (!envelope.ok) return false
  const { status } = envelope.data as Pick<BatchResults, 'status'> | { readonly status: 'ready' }
  return status === 'success' || status === 'ready'
}
