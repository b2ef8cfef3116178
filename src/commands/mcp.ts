import { serveStdio } from '@modelcontextprotocol/server/stdio'
import closeWithGrace from 'close-with-grace'
import { type Logger, pino } from 'pino'
import { withoutNullArguments } from '../../routes/support/mcp-message.ts'
import type { McpClient } from '../../routes/support/mcp-parts.ts'
import { readTools } from '../../routes/support/mcp-query.ts'
import { createServer } from '../../routes/support/mcp-server.ts'
import { connect } from '../../routes/support/mcp-tools.ts'
import { createApprovalDesk } from '../access/approvals.ts'
import { createCalls } from '../call/calls.ts'
import { keepReloading } from '../cards/reload.ts'
import type { Engine } from '../engine/engine.ts'
import { type Settings } from '../gateway/config.ts'
import { createEngine } from '../gateway/create-engine.ts'
import { explainJournal } from '../gateway/server.ts'
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
  const ended = serveUntilClosed(
    { transport, settings, logger, approvals },
    {
      caller,
      tools: options.tools,
      structured: options.outputSchema ?? false,
      language: 'en',
      defaults: () => ({ presentation, fields: null, upstreamToken: null }),
      onSent: (message, release) => transport.onSent(message, release),
    },
  )
  const signals = closeWithGrace(
    { delay: settings.shutdown_ms, skip: ['SIGHUP'] },
    async ({ err }) => {
      if (err) logger.fatal({ err }, 'the gateway stops on an unexpected error')
      await transport.close()
      await ended
    },
  )
  await ended.finally(() => signals.uninstall())
}

interface Serving {
  readonly transport: StdioTransport
  readonly settings: Settings
  readonly logger: Logger
  /** The journal with the approvals of the client's calls. @default the command's own */
  readonly approvals: string | undefined
}

async function serveUntilClosed(
  { transport, settings, logger, approvals }: Serving,
  { caller, tools, ...client }: StdioClient,
): Promise<void> {
  await using tracing = await startTracing(process.env, logger)
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
  const calls = new Set<Promise<unknown>>()
  const onCall = (call: Promise<unknown>) => {
    calls.add(call)
    const forget = () => calls.delete(call)
    call.then(forget, forget)
  }
  // A broken pipe must not end the process: a write may still be running.
  process.stdout.removeAllListeners('error')
  const { catalog, hints } = engine
  const { store, lastMs, secrets } = engine.approvals
  const desk = createApprovalDesk(store, lastMs, engine.clock.now, secrets)
  const { onAnswer: onRefused } = engine.audit
  const served = { calls: createCalls(engine), catalog, hints, desk, onRefused }
  serveStdio(() => createServer(served, { ...client, ...connection, onCall }), {
    transport,
    onerror: error => logger.warn({ err: error }, 'cannot read or send a message'),
  })
  await transport.closed
  await Promise.allSettled(calls)
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
