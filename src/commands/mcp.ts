import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { type Logger, pino } from 'pino'
import { openAdmission } from '../../routes/support/admission.ts'
import { withoutNullArguments } from '../../routes/support/mcp-message.ts'
import type { McpClient } from '../../routes/support/mcp-parts.ts'
import { readTools } from '../../routes/support/mcp-query.ts'
import { createServer } from '../../routes/support/mcp-server.ts'
import { connect } from '../../routes/support/mcp-tools.ts'
import { createApprovalDesk } from '../access/approvals.ts'
import { createCalls } from '../call/calls.ts'
import { keepReloading } from '../cards/reload.ts'
import type { Engine } from '../engine/engine.ts'
import { admissionLimits } from '../gateway/admission-limits.ts'
import { type Settings } from '../gateway/config.ts'
import { createEngine, type RunningEngine } from '../gateway/create-engine.ts'
import { describeLosses, lossesOf } from '../gateway/losses.ts'
import { outagesOf } from '../gateway/outages.ts'
import { explainJournal } from '../gateway/server.ts'
import { cutOff, stopMs } from '../gateway/stop.ts'
import { BadEnd, closeOnSignal } from '../lib/close-on-signal.ts'
import { endOf } from '../lib/within.ts'
import type { Caller } from '../model/caller.ts'
import { GatewayError } from '../model/errors.ts'
import type { ProfileName } from '../model/profile-name.ts'
import { SettingsError } from '../model/settings-error.ts'
import { startTracing } from '../observe/tracing/start.ts'
import { findProfile } from '../render/profiles/index.ts'
import { BRIEF, PLAIN } from '../render/render.ts'
import { approvalsFor, callerOf } from './caller.ts'
import { type CommonOptions, readSettings } from './options.ts'
import { StdioTransport } from './stdio-transport.ts'

export interface McpOptions extends CommonOptions {
  /** Same format as `?tools=` of /mcp. */
  readonly tools?: string
  /** Like `?outputSchema=true` of /mcp. */
  readonly outputSchema?: boolean
  readonly profile?: string
  readonly tokenBudget?: number
  readonly key?: string
}

/** Serves MCP to one client on stdin and stdout until it closes them. Logs go to stderr. */
export async function mcp(options: McpOptions): Promise<void> {
  const settings = readSettings(process.env, options, {
    // A client may start several of these in one directory; they could not share a file.
    journal: ':memory:',
  })
  const caller = callerOf(settings, options.key, 'mcp')
  const presentation = {
    ...PLAIN,
    profile: profileOf(options, caller),
    tokenBudget: options.tokenBudget ?? null,
  }
  const logger = pino({ level: settings.log_level }, pino.destination(2))
  const transport = new StdioTransport(withoutNullArguments)
  const approvals = approvalsFor(caller, readSettings(process.env, options))
  const stopping = Promise.withResolvers<void>()
  const ended = serveUntilClosed(
    { transport, settings, logger, approvals, stopped: stopping.promise },
    {
      caller,
      tools: options.tools,
      structured: options.outputSchema ?? false,
      language: 'en',
      defaults: () => ({ presentation, fields: null, upstreamToken: null }),
      onSent: (message, release) => transport.onSent(message, release),
    },
  )
  const signals = closeOnSignal({ delay: stopMs(settings) }, async ({ err }) => {
    if (err) logger.fatal({ err }, 'the gateway stops on an unexpected error')
    stopping.resolve()
    await transport.close()
    // The engine's end has logged them.
    if (hasLost(await ended)) throw new BadEnd()
  })
  const engine = await ended.finally(() => signals.uninstall())
  if (hasLost(engine)) process.exitCode = 1
}

function hasLost(engine: RunningEngine): boolean {
  return describeLosses(lossesOf(engine)).length > 0
}

interface Serving {
  readonly transport: StdioTransport
  readonly settings: Settings
  readonly logger: Logger
  /** The journal with the approvals of the client's calls. @default the command's own */
  readonly approvals: string | undefined
  /** Resolves at a signal to stop: from then on, calls have only so much time. */
  readonly stopped: Promise<void>
}

/** Resolves to the engine, which is closed. */
async function serveUntilClosed(
  { transport, settings, logger, approvals, stopped }: Serving,
  { caller, tools, ...client }: StdioClient,
): Promise<RunningEngine> {
  await using tracing = await startTracing(process.env, logger, outagesOf(logger, null)('traces'))
  const parts = { settings, env: process.env, logger, tracing, approvals }
  await using engine = await createEngine(parts).catch(error => {
    throw explainJournal(error, settings.journal)
  })
  const connection = connect(caller, toolsOf(engine, tools))
  using _reloading = keepReloading({
    reload: engine.reload,
    directories: settings.capabilities,
    logger,
  })
  const { calls, onCall } = trackCalls()
  // A broken pipe must not end the process: a write may still be running.
  process.stdout.removeAllListeners('error')
  const { catalog, hints } = engine
  const { store, lastMs, secrets } = engine.approvals
  const desk = createApprovalDesk(store, lastMs, engine.clock.now, secrets)
  const { onAnswer: onRefused } = engine.audit
  using limited = openAdmission(admissionLimits(engine, settings))
  const { admission } = limited
  const served = { calls: createCalls(engine), catalog, hints, desk, admission, onRefused }
  serveStdio(() => createServer(served, { ...client, ...connection, onCall }), {
    transport,
    onerror: error => logger.warn({ err: error }, 'cannot read or send a message'),
  })
  await transport.closed
  const all = Promise.allSettled(calls)
  void stopped
    .then(() => endOf(all, settings.shutdown_ms))
    .then(() => calls.size > 0 && cutOff(engine, logger))
  await all
  return engine
}

/** The calls that run. */
function trackCalls() {
  const calls = new Set<Promise<unknown>>()
  const onCall = (call: Promise<unknown>) => {
    calls.add(call)
    const forget = () => calls.delete(call)
    call.then(forget, forget)
  }
  return { calls, onCall }
}

/** The client, before the cards are there that its tools name. */
interface StdioClient extends Omit<McpClient, 'way' | 'onCall'> {
  /** As `--tools` names them. */
  readonly tools: string | undefined
}

/** @throws {SettingsError} for a word of `--tools` that selects no capability. */
function toolsOf({ catalog }: Pick<Engine, 'catalog'>, tools: string | undefined) {
  return explained('--tools ', () => readTools(catalog, tools))
}

function profileOf({ profile }: McpOptions, caller: Caller): ProfileName {
  return explained('', () => findProfile(profile ?? caller.profile ?? BRIEF.profile))
}

/** @throws {SettingsError} with the message of a GatewayError */
function explained<T>(prefix: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    throw new SettingsError(`${prefix}${error.message}`, { cause: error })
  }
}
