import { Command, InvalidArgumentError, Option } from 'commander'
import { version } from '../lib/version.ts'
import { ROUTES, type Route } from '../model/route.ts'
import type { CallOptions } from './call.ts'
import type { CheckOptions } from './check.ts'
import type { DoctorOptions } from './doctor.ts'
import type { ImportOptions } from './import.ts'
import type { McpOptions } from './mcp.ts'
import type { CommonOptions } from './options.ts'
import type { RequestsOptions } from './requests.ts'

const DEMO_HELP = `
Environment:
  HOST, PORT          where the gateway listens (127.0.0.1, 8080)
  SANDBOX_HOST        where the sandbox listens (127.0.0.1); in a container 0.0.0.0, so that faults
                      can be set from outside
  SANDBOX_PORT        (8081)
  The gateway's other settings count here too, as in serve.`

/** The command line. Each command lives in its own file, loaded when it is run. */
export function createProgram(): Command {
  const program = new Command('signalbox')
    .description('An HTTP gateway for AI agents')
    .version(version)
    .showHelpAfterError()
  withCommon(program.command('serve').description('run the gateway'), { listens: true }).action(
    async (options: CommonOptions) => (await import('./serve.ts')).serve(options),
  )
  withCommon(
    program.command('demo').description('run the gateway together with a GitHub sandbox'),
    { listens: true },
  )
    .addHelpText('after', DEMO_HELP)
    .action(async (options: CommonOptions) => (await import('./demo.ts')).demo(options))
  withCommon(
    program
      .command('call <id> [input...]')
      .description('run one capability; field=value, or - for JSON on stdin'),
  )
    .addOption(routeOption())
    .option('--timeout-ms <n>', 'deadline for everything', parseInteger)
    .option('--profile <name>', 'dialect of the answer; see GET /v1/profiles')
    .option('--idempotency-key <key>', 'a change is made once, however often it is called with it')
    .action(async (id: string, input: string[], options: CallOptions) =>
      (await import('./call.ts')).call(id, input, options),
    )
  withCommon(
    program
      .command('explain <id> [input...]')
      .description('show the plan for an input; nothing is sent'),
  )
    .addOption(routeOption())
    .action(async (id: string, input: string[], options: CommonOptions & { route?: Route }) =>
      (await import('./call.ts')).explainCall(id, input, options),
    )
  withCommon(program.command('capabilities').description('list what can be called')).action(
    async (options: CommonOptions) => (await import('./capabilities.ts')).capabilities(options),
  )
  withCommon(program.command('mcp').description('serve one client of MCP, on stdin and stdout'))
    .option('--tools <list>', 'capabilities to offer: repo.*,issue.view (all)')
    .option('--profile <name>', 'dialect of the answers; see GET /v1/profiles')
    .option('--token-budget <n>', 'the most tokens of an answer', parseInteger)
    .action(async (options: McpOptions) => (await import('./mcp.ts')).mcp(options))
  addJournalCommands(program)
  addAuthorCommands(program)
  return program
}

function addAuthorCommands(program: Command): void {
  program
    .command('check [directories...]')
    .description('lint cards and settings, without starting')
    .option('--config <file>', 'settings file to check as well')
    .option('--github', 'compare with what GitHub publishes of its APIs')
    .action(async (directories: string[], options: CheckOptions) =>
      (await import('./check.ts')).check(directories, options),
    )
  withCommon(
    program
      .command('doctor')
      .description('say what serve would miss on this machine, and how to get it'),
    { listens: true },
  )
    .option('--json', 'as JSON')
    .action(async (options: DoctorOptions) => (await import('./doctor.ts')).doctor(options))
  program
    .command('import <document>')
    .description('make cards from an OpenAPI document or a GraphQL schema')
    .option('--out <dir>', 'folder to write (named like the upstream)')
    .option('--id <name>', 'id of the upstream (named like the folder, or the title)')
    .option('--only <what>', "what to take: 'GET /parts/*', an operationId; repeatable", collect)
    .option('--url <url>', 'where the service is, when not where the document says')
    .option('--dry-run', 'list what would be made, and write nothing')
    .option('--force', 'write over files that are there')
    .action(async (document: string, options: ImportOptions) =>
      (await import('./import.ts')).importDocument(document, options),
    )
}

function addJournalCommands(program: Command): void {
  program
    .command('requests [id]')
    .description('read the journal: the newest requests, or one in full')
    .option('--config <file>', 'settings file (YAML)')
    .option('--journal <file>', 'the SQLite file, when not the one that is set')
    .option('--capability <id>', 'of this capability only')
    .option('--code <code>', 'that failed with this code')
    .option('--caller <name>', 'of this caller only')
    .option('--failed', 'failures only')
    .option('--since <time>', 'RFC 3339, or a date')
    .option('--limit <n>', 'how many (20)', parseInteger)
    .option('--json', 'as JSON')
    .addOption(new Option('--route <route>', 'that this route answered').choices(ROUTES))
    .action(async (id: string | undefined, options: RequestsOptions) =>
      (await import('./requests.ts')).requests(id, options),
    )
  withCommon(
    program
      .command('replay <file>')
      .description('decide an exported request again, with the cards and settings of today'),
  ).action(async (file: string, options: CommonOptions) =>
    (await import('./replay.ts')).replayFile(file, options),
  )
}

function withCommon(command: Command, { listens = false } = {}): Command {
  command
    .option('--config <file>', 'settings file (YAML)')
    .option('--capabilities <dir>', 'directory of cards; repeatable', collect)
  if (listens) {
    command
      .option('--host <address>', 'address to listen on')
      .option('--port <n>', 'port; 0 picks a free one', parseInteger)
  }
  return command
}

function routeOption(): Option {
  return new Option('--route <route>', 'use this route only').choices(ROUTES)
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}

function parseInteger(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('must be a whole number')
  return Number(text)
}
