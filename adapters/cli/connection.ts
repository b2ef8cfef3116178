import { availableParallelism } from 'node:os'
import { hideInBytes } from '../../src/lib/hide-secrets.ts'
import { OverloadedError, Slots } from '../../src/lib/slots.ts'
import type {
  Bulkhead,
  CallContext,
  Connection,
  ConnectOptions,
  RouteCall,
  SectionCompiler,
} from '../../src/model/adapter.ts'
import type { ExpressionScope } from '../../src/model/expression.ts'
import {
  createFailure,
  type Failure,
  fullFailure,
  overloadFailure,
} from '../../src/model/failure.ts'
import type { FailureRule } from '../../src/model/failure-rule.ts'
import { NO_EXCHANGE, type Reply } from '../../src/model/reply.ts'
import { answeringExitCodes } from '../failures/vocabulary/exit-codes.ts'
import { expressionFailure } from '../http/judge/expression-failure.ts'
import { exchangeOf } from '../http/read/exchange.ts'
import { ArgumentError, compileInvocation, type Invocation } from './arguments.ts'
import { checkEnvironment, commandPath, workingDirectory } from './check-section.ts'
import { type Judgement, judgeRun } from './classify.ts'
import { childEnvironment, createPrivateHome } from './environment.ts'
import {
  abortedBeforeStart,
  CUT_BEFORE_START,
  type ProcessResult,
  type ProcessRunner,
  unstarted,
} from './process-runner.ts'
import { Program } from './program.ts'
import type { FinishedRun } from './run-facts.ts'
import { spawnErrorOf } from './run-process.ts'
import type { CliCardSection, CliUpstreamSection } from './schema.ts'
import { shippedRules } from './tool-rules.ts'

const DEFAULTS = {
  env: {},
  version_args: ['--version'],
  max_processes: availableParallelism(),
  max_queue: 64,
  max_output_bytes: 10_000_000,
  max_parsed_bytes: 4 * 1024 * 1024,
  grace_ms: 500,
} satisfies Partial<CliUpstreamSection>

interface CompiledCall {
  readonly card: CliCardSection
  readonly build: (scope: ExpressionScope) => Invocation
  /** Members of the output that the card asks for. */
  readonly asked: ReadonlySet<string>
}

const NOTHING: ReadonlySet<string> = new Set()

/** One program, with its own home directory and a limit on concurrent processes. */
export class CliConnection implements Connection {
  readonly #section: CliUpstreamSection & typeof DEFAULTS
  readonly #options: ConnectOptions
  readonly #rules: readonly FailureRule[]
  readonly #runner: ProcessRunner
  readonly #slots: Slots
  readonly #program: Program
  readonly #home = createPrivateHome()
  readonly #cwd: string | null
  #isCut = false

  constructor(section: CliUpstreamSection, options: ConnectOptions, runner: ProcessRunner) {
    this.#section = { ...DEFAULTS, ...section }
    this.#options = options
    this.#rules = [...options.rules, ...shippedRules(section.command, options.compiler)]
    this.#cwd = workingDirectory(section, options.compiler)
    this.#runner = runner
    checkEnvironment(this.#section.env, options)
    this.#slots = new Slots(this.#section.max_processes, this.#section.max_queue)
    this.#program = new Program({
      command: section.command,
      path: commandPath(section, options.compiler),
      versionArgs: this.#section.version_args,
      runner,
      processSettings: () => this.#processSettings({ credential: null }),
      now: options.now,
      searchPath: options.searchPath,
    })
  }

  compile(section: unknown, compiler: SectionCompiler): RouteCall {
    const card = section as CliCardSection
    const build = compileInvocation(card, compiler)
    const { asked = NOTHING } = compiler
    const minVersion = card.min_version ?? this.#section.min_version ?? null
    return {
      unavailable: () => this.#program.unavailable(minVersion),
      call: (scope, context) => this.#call({ card, build, asked }, scope, context),
    }
  }

  probe(): void {
    void this.#program.unavailable(this.#section.min_version ?? null)
  }

  get target(): string {
    return this.#program.name
  }

  bulkhead(): Bulkhead {
    return { ...this.#slots.usage(), ...this.#runner.starts?.() }
  }

  retire(): void {
    this.#runner.retire?.()
  }

  /** Kills the running programs. A call that waits for its turn starts none any more. */
  cut(): void {
    this.#isCut = true
    void this.#runner.close()
  }

  async close(): Promise<void> {
    await this.#runner.close()
    await this.#home.remove()
  }

  async #call(
    { card, build, asked }: CompiledCall,
    scope: ExpressionScope,
    context: CallContext,
  ): Promise<Reply> {
    let result: ProcessResult
    let invocation: Invocation
    try {
      invocation = build(scope)
      result = await this.#run(invocation, context)
    } catch (error) {
      return { ok: false, failure: this.#failureOf(error, scope.input), exchange: NO_EXCHANGE }
    }
    if (result.spawnError?.code === 'ENOENT') this.#program.forget()
    if (context.held?.take(result.stdout.length + result.stderr.length) === false) {
      return {
        ok: false,
        failure: fullFailure(),
        exchange: NO_EXCHANGE,
      }
    }
    const now = this.#options.now()
    const secrets = context.credential?.secrets ?? []
    const run: FinishedRun = {
      ...declared(card, answeringExitCodes(this.#program.name, invocation.args)),
      asked,
      result: { ...result, stdout: hideInBytes(Buffer.from(result.stdout), secrets) },
      tool: this.#program.name,
      maxParsedBytes: this.#section.max_parsed_bytes,
      effect: context.effect,
      input: scope.input,
    }
    return replyOf(judgeRun(run, { rules: this.#rules, secrets, now }), result, now)
  }

  /** Releases the slot when the process is gone, which can be later than the result. */
  async #run({ args, stdin }: Invocation, context: CallContext): Promise<ProcessResult> {
    const { signal } = context
    const release = await this.#slots.acquire(signal)
    if (!release) return abortedBeforeStart(signal)
    try {
      const settings = await this.#processSettings(context)
      if (this.#isCut) {
        release()
        return CUT_BEFORE_START
      }
      const { command } = this.#program
      const run = this.#runner.run({ ...settings, command, args, stdin }, signal)
      void run.gone.then(release)
      return await run.result
    } catch (error) {
      release()
      // The home directory could not be created, so the program was not started.
      if (isSystemError(error)) return unstarted(spawnErrorOf(error))
      throw error
    }
  }

  async #processSettings(context: Pick<CallContext, 'credential' | 'traceparent'>) {
    const { env, max_output_bytes, grace_ms } = this.#section
    const home = await this.#home.path()
    return {
      env: childEnvironment(env, home, this.#options.searchPath, context),
      cwd: this.#cwd ?? home,
      maxOutputBytes: max_output_bytes,
      graceMs: grace_ms,
    }
  }

  /** The failure for a call that was not made. Rethrows any unexpected error, because it is a bug. */
  #failureOf(error: unknown, input: unknown): Failure {
    if (error instanceof ArgumentError) {
      // Another route can send the value in a request body, which has no such limits.
      return createFailure(error.code, error.message, NOT_STARTED)
    }
    if (error instanceof OverloadedError) {
      const { name } = this.#program
      return overloadFailure(`Too many calls are waiting for ${name}; this one was not made.`)
    }
    return expressionFailure(error, input)
  }
}

/** The parts of a run that the card declares. */
function declared(
  card: CliCardSection,
  answering: readonly number[],
): Pick<
  FinishedRun,
  'format' | 'csv' | 'okExitCodes' | 'accept' | 'oneRequest' | 'acceptEmpty' | 'command'
> {
  return {
    format: card.parse ?? 'json',
    csv: card.csv,
    okExitCodes: card.ok_exit_codes ?? [0, ...answering],
    accept: card.accept ?? [],
    oneRequest: card.one_request ?? false,
    acceptEmpty: card.accept_empty ?? false,
    command: card.command,
  }
}

/** The program was not started, so nothing was sent. */
const NOT_STARTED = { fallback: true, writeOutcome: 'not_applied' } as const

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

const UNKNOWN_EXCHANGE = { ok: false, phase: 'unknown', error: null } as const

function replyOf(judgement: Judgement, result: ProcessResult, now: number): Reply {
  const { status, headers } = judgement.output
  // The number of requests the program sent is unknown; a program that ran counts as one.
  const requests = result.spawnError ? 0 : 1
  const exchange = exchangeOf({ ...UNKNOWN_EXCHANGE, status, headers, requests }, now)
  if (!judgement.ok) return { ok: false, failure: judgement.failure, exchange }
  return {
    ok: true,
    ...judgement.output,
    warnings: [],
    partialFailure: null,
    exchange,
  }
}
