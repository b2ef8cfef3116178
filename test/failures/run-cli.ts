import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { judgeRun } from '../../adapters/cli/classify.ts'
import { createCliAdapter } from '../../adapters/cli/index.ts'
import { type SpawnError, unstarted } from '../../adapters/cli/process-runner.ts'
import type { FinishedRun } from '../../adapters/cli/run-facts.ts'
import { createInProcessRunner } from '../../adapters/cli/run-process.ts'
import { shippedRules } from '../../adapters/cli/tool-rules.ts'
import type { CallContext } from '../../src/model/adapter.ts'
import { NO_EXCHANGE, type Reply } from '../../src/model/reply.ts'
import { callContext, testCompiler, timeUp } from '../contract/adapter.ts'
import { SHORT_FORM, tokenCredential } from '../support/credentials.ts'
import type { ActualOutcome, CaseRunner, FailureCase, Observed } from './case.ts'
import { outcomeOf } from './outcome.ts'

const TOKEN = 'corpus-secret-0123456789'

/**
 * Replays a CLI case: an executable with the program's name prints exactly the observed bytes and ends in
 * the observed way. An observed spawn error goes to the classifier, and also through the real adapter if
 * the test can cause it.
 */
export const runCliCase: CaseRunner = async failureCase => {
  const { observed } = failureCase
  if (observed.spawn_error === undefined) return [await runProgram(failureCase)]
  const { code = 'UNKNOWN' } = observed.spawn_error as Partial<SpawnError>
  const recipe = RECIPES[code]
  const classified = classify(failureCase)
  return recipe ? [classified, await recipe(failureCase)] : [classified]
}

type Recipe = (failureCase: FailureCase) => Promise<ActualOutcome>

/** Spawn errors that a test can cause, and errors that the gateway causes while the program runs. */
const RECIPES: Readonly<Record<string, Recipe>> = {
  ENOENT: failureCase => runProgram(failureCase, { command: '/no/such/directory/gh' }),
  EACCES: failureCase => runProgram(failureCase, { mode: 0o644 }),
  ETIMEDOUT: failureCase => runProgram(failureCase, { script: HANG, stop: timeUp() }),
  ABORT_ERR: failureCase => runProgram(failureCase, { script: HANG, stop: new Error('gone') }),
  ERR_CHILD_PROCESS_STDIO_MAXBUFFER: failureCase => runProgram(failureCase, { script: FLOOD }),
}

/** Creates a file to show that the program runs, so that the test stops it only then. */
const SIGN = ': > "$(dirname "$0")/started"'
const HANG = `#!/bin/sh\n${SIGN}\nexec sleep 60\n`
const FLOOD = '#!/bin/sh\nexec head -c 3000000 /dev/zero\n'

interface Staging {
  readonly script?: string
  readonly mode?: number
  readonly command?: string
  /** The reason for aborting the call once the program runs. */
  readonly stop?: Error
}

async function runProgram(failureCase: FailureCase, staging: Staging = {}): Promise<ActualOutcome> {
  const { observed } = failureCase
  const directory = await mkdtemp(join(tmpdir(), 'failure-case-'))
  const command = join(directory, toolOf(observed))
  try {
    await writeFile(join(directory, 'stdout'), stdoutOf(observed))
    await writeFile(join(directory, 'stderr'), observed.stderr ?? '')
    await writeFile(command, staging.script ?? scriptOf(observed, directory))
    await chmod(command, staging.mode ?? 0o755)
    const killed = observed.killed_by === 'gateway_deadline'
    const stop = staging.stop ?? (killed ? timeUp() : null)
    const context = {
      ...callContext(observed.operation),
      credential: tokenCredential(TOKEN),
      signal: stop ? abortOnceRunning(directory, stop) : new AbortController().signal,
    }
    const reply = await call(observed, staging.command ?? command, context)
    return asObserved(outcomeOf(reply, 'process'), reply, observed)
  } finally {
    await rm(directory, { recursive: true })
  }
}

function abortOnceRunning(directory: string, reason: Error): AbortSignal {
  const controller = new AbortController()
  const poll = setInterval(() => {
    if (!existsSync(join(directory, 'started'))) return
    clearInterval(poll)
    controller.abort(reason)
  }, 20)
  return controller.signal
}

async function call(observed: Observed, command: string, context: CallContext): Promise<Reply> {
  const adapter = createCliAdapter({ createRunner: createInProcessRunner })
  const connection = adapter.connect(
    { command, max_output_bytes: 1_000_000 },
    {
      upstream: 'test',
      rules: [],
      compiler: testCompiler(),
      schemes: SHORT_FORM,
      searchPath: process.env.PATH ?? '',
      now: () => nowOf(observed),
    },
  )
  const [, ...words] = observed.argv ?? []
  const card = {
    command: words,
    parse: formatOf(observed),
    ...(observed.argv?.includes('--ignore-not-found') ? { accept_empty: true } : {}),
    one_request: changesOneThing(observed),
    ...(observed.stdin_error === undefined ? {} : { stdin: "'something to read'" }),
  }
  const route = connection.compile(card, testCompiler(observed.operation))
  try {
    return await route.call({ input: inputOf(observed) }, context)
  } finally {
    await connection.close()
  }
}

function scriptOf({ exit_code, signal, killed_by }: Observed, directory: string): string {
  const print = `cat ${directory}/stdout; cat ${directory}/stderr >&2`
  if (killed_by === 'gateway_deadline') return `#!/bin/sh\n${print}\n${SIGN}\nexec sleep 60\n`
  const end = signal ? `ulimit -c 0; kill -s ${signal.replace('SIG', '')} $$` : `exit ${exit_code}`
  return `#!/bin/sh\n${print}\n${end}\n`
}

function classify({ observed }: FailureCase): ActualOutcome {
  const { code = 'UNKNOWN', message = '' } = observed.spawn_error as Partial<SpawnError>
  const tool = toolOf(observed)
  const run: FinishedRun = {
    result: unstarted({ code, message }),
    tool,
    format: formatOf(observed),
    okExitCodes: [0],
    accept: [],
    asked: new Set(),
    effect: observed.operation,
    oneRequest: changesOneThing(observed),
    acceptEmpty: false,
    command: [],
    input: inputOf(observed),
  }
  const rules = shippedRules(tool, testCompiler())
  const judgement = judgeRun(run, { rules, secrets: [TOKEN], now: nowOf(observed) })
  if (judgement.ok) throw new Error('a program that was not started cannot have succeeded')
  const reply = { ok: false, failure: judgement.failure, exchange: NO_EXCHANGE } as const
  return asObserved(outcomeOf(reply, 'classifier'), reply, observed)
}

/** Adapts the outcome to two differences between CLI and HTTP replies. */
function asObserved(outcome: ActualOutcome, reply: Reply, { exit_code }: Observed): ActualOutcome {
  if (reply.ok) return exit_code === 0 ? outcome : { ...outcome, writeOutcome: 'not_applied' }
  const { code, details } = reply.failure
  const reported = code === 'TIMEOUT' && details.reported_by === 'upstream'
  return reported ? { ...outcome, baseCode: 'SERVER' } : outcome
}

function toolOf({ argv = ['tool'] }: Observed): string {
  return basename(argv[0] ?? 'tool')
}

function stdoutOf({ stdout, stdout_base64 }: Observed): Buffer {
  return stdout_base64 === undefined
    ? Buffer.from(stdout ?? '')
    : Buffer.from(stdout_base64, 'base64')
}

/** Programs that run whatever their arguments say, and those that work through a list of things. */
const MANY_CHANGES =
  /^(?:python[\d.]*|node|deno|bun|perl|ruby|php|java|make|sh|bash|ansible\S*|pulumi|fly|rclone|rsync|restic\w*|twine|.*\/.*)$/
/** Options with which a command changes several things, one after another. */
const SEVERAL_CHANGES =
  /^--(?:delete-branch|remove-source-branch|reviewer|label|assignee|milestone|project)$/

/**
 * Whether a card for this command line would say `one_request`: not for scripts and for work on many things.
 */
function changesOneThing({ argv = [] }: Observed): boolean {
  const [program = '', ...words] = argv
  return !MANY_CHANGES.test(program) && !words.some(word => SEVERAL_CHANGES.test(word))
}

/** The local time of a case, in epoch milliseconds. */
function nowOf({ now_epoch }: Observed): number {
  return now_epoch === undefined ? Date.now() : now_epoch * 1000
}

/** The format in which a card for this command line would read its output. */
function formatOf({ argv = [] }: Observed): 'json' | 'text' | 'http' {
  const words = argv.join(' ')
  if (/^(?:curl|http|xh)\b.* (?:-i|--include)\b/.test(words)) return 'http'
  return /(^| )(api|--json|(-o|--output|--format)[ =]json)( |$)/.test(words) ? 'json' : 'text'
}

/** Takes the arguments after the command as the caller's input. */
function inputOf({ argv = [] }: Observed): unknown {
  return { values: argv.slice(3).filter(word => !word.startsWith('-')) }
}
