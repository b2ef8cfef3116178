import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import closeWithGrace from 'close-with-grace'
import { type Logger, pino } from 'pino'
import { createServer, type McpClient } from '../../routes/support/mcp-server.ts'
import { keepReloading } from '../cards/reload.ts'
import { loadSettings, type Settings } from '../gateway/config.ts'
import { createEngine } from '../gateway/create-engine.ts'
import { explainJournal, GRACE_MS } from '../gateway/server.ts'
import type { Caller } from '../model/caller.ts'
import { GatewayError } from '../model/errors.ts'
import type { ProfileName } from '../model/profile-name.ts'
import { SCOPES } from '../model/scopes.ts'
import { SettingsError } from '../model/settings-error.ts'
import { startTracing } from '../observe/tracing/start.ts'
import { findProfile } from '../render/profiles/index.ts'
import { PLAIN } from '../render/render.ts'
import { type CommonOptions, flagsOf } from './options.ts'

export interface McpOptions extends CommonOptions {
  /** As `?capabilities=` of /mcp. */
  readonly tools?: string
  readonly profile?: string
  readonly tokenBudget?: number
}

/** Whoever can start this process has its credentials anyway. */
const CALLER: Caller = { name: 'mcp', operator: true, scopes: SCOPES }

/** A client's own gateway: MCP on stdin and stdout until the client closes them, everything else on stderr. */
export async function mcp(options: McpOptions): Promise<void> {
  const presentation = {
    ...PLAIN,
    profile: profileOf(options),
    tokenBudget: options.tokenBudget ?? null,
  }
  const settings = loadSettings(process.env, options.config ?? null, flagsOf(options), {
    // Clients start as many as they like, and where they like: a file would be in each other's way.
    journal: ':memory:',
  })
  const logger = pino({ level: settings.log_level }, pino.destination(2))
  const transport = new ClosingTransport()
  const ended = serveUntilClosed(transport, settings, logger, {
    caller: CALLER,
    wanted: options.tools === undefined ? null : [options.tools],
    language: 'en',
    defaults: () => ({ presentation, upstreamToken: null }),
  })
  const delay = settings.timeout_ms + GRACE_MS
  const signals = closeWithGrace({ delay, skip: ['SIGHUP'] }, async ({ err }) => {
    if (err) logger.fatal({ err }, 'the gateway stops on an unexpected error')
    await transport.close()
    await ended
  })
  await ended.finally(() => signals.uninstall())
}

/** Tells when the connection has ended, whichever side ended it. */
class ClosingTransport extends StdioServerTransport {
  readonly #closed = Promise.withResolvers<void>()
  readonly closed = this.#closed.promise

  override async close(): Promise<void> {
    await super.close()
    this.#closed.resolve()
  }
}

async function serveUntilClosed(
  transport: ClosingTransport,
  settings: Settings,
  logger: Logger,
  client: McpClient,
): Promise<void> {
  await using tracing = await startTracing(process.env, logger)
  await using engine = await createEngine({ settings, env: process.env, logger, tracing }).catch(
    error => {
      throw explainJournal(error, settings.journal)
    },
  )
  using _reloading = keepReloading({
    capabilities: engine,
    directories: settings.capabilities,
    logger,
  })
  const calls = new Set<Promise<unknown>>()
  const onCall = (call: Promise<unknown>) => {
    calls.add(call)
    const forget = () => calls.delete(call)
    call.then(forget, forget)
  }
  // A client that is gone ends the connection, and not the process: a change may be under way.
  process.stdout.removeAllListeners('error')
  serveStdio(() => createServer(engine, { ...client, onCall }), {
    transport,
    onerror: error => logger.warn({ err: error }, 'a message could not be read or sent'),
  })
  await transport.closed
  await Promise.allSettled(calls)
}

function profileOf({ profile = PLAIN.profile }: McpOptions): ProfileName {
  try {
    return findProfile(profile)
  } catch (error) {
    if (error instanceof GatewayError) throw new SettingsError(error.message, { cause: error })
    throw error
  }
}
