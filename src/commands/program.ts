import { Command, Option } from 'commander'
import { version } from '../lib/version.ts'
import type { BatchOptions } from './batch.ts'
import type { CallOptions } from './call.ts'
import type { CheckOptions } from './check.ts'
import type { ConfigOptions } from './config.ts'
import type { DoctorOptions } from './doctor.ts'
import { type GivenFilters, withFilterOptions } from './filter-options.ts'
import type { ImportOptions } from './import.ts'
import type { McpOptions } from './mcp.ts'
import { addOperatingCommands } from './operating-commands.ts'
import {
  type CommonOptions,
  collect,
  keyOption,
  maxAgeOption,
  packsOption,
  parseInteger,
  parsePositive,
  routeOption,
  staleOption,
  withCommonOptions,
  withListenOptions,
  workersOption,
} from './options.ts'
import type { ListOptions, RequestsOptions } from './requests.ts'
import { addApprovalCommands, addAuditCommands, addKeyCommands } from './trust-commands.ts'

/** The command line. Each command is a file of its own, loaded only when it runs. */
export function createProgram(): Command {
  const program = new Command('signalbox')
    .description('An HTTP gateway for AI agents')
    .version(version)
    .showHelpAfterError()
  addGatewayCommands(program)
  addKeyCommands(program)
  addApprovalCommands(program)
  addAuditCommands(program)
  addCallCommands(program)
  addCatalogCommands(program)
  addOperatingCommands(program)
  addJournalCommands(program)
  addSettingsCommands(program)
  addAuthorCommands(program)
  return program
}

const DEMO_HELP = `
Environment:
  HOST, PORT          where the gateway listens (127.0.0.1, 8080)
  SANDBOX_HOST        where the sandbox listens (127.0.0.1); set 0.0.0.0 in a container, to set faults
                      from outside
  SANDBOX_PORT        (8081)
  All other settings of serve work here too.`

function addGatewayCommands(program: Command): void {
  withListenOptions(program.command('serve').description('run the gateway'))
    .addOption(workersOption())
    .action(async (options: CommonOptions) => (await import('./serve.ts')).serve(options))
  withListenOptions(
    program.command('demo').description('run the gateway together with a GitHub sandbox'),
  )
    .addHelpText('after', DEMO_HELP)
    .action(async (options: CommonOptions) => (await import('./demo.ts')).demo(options))
  withCommonOptions(program.command('mcp').description('serve one MCP client on stdin and stdout'))
    .option(
      '--tools <list>',
      'tools to offer: search (default), all, or e.g. repo.*,read:pr.*,-pr.merge',
    )
    .option('--output-schema', 'tools have an output schema, and results a structuredContent')
    .option('--profile <name>', 'dialect of the answers; see GET /v1/profiles')
    .option('--token-budget <n>', 'maximum size of an answer in tokens', parseInteger)
    .addOption(keyOption())
    .action(async (options: McpOptions) => (await import('./mcp.ts')).mcp(options))
}

function addCallCommand(program: Command): void {
  withCommonOptions(
    program
      .command('call <id> [input...]')
      .description('call one capability; input is field=value words, or - for JSON on stdin'),
  )
    .addOption(routeOption())
    .option('--timeout-ms <n>', 'deadline for the whole call', parsePositive)
    .option('--profile <name>', 'dialect of the answer; see GET /v1/profiles')
    .option('--fields <list>', 'members of data to print, such as items.number,items.title')
    .option('--token-budget <n>', 'maximum size of the answer in tokens', parseInteger)
    .option('--idempotency-key <key>', 'calls with the same key make the change only once')
    .option('--correlation-id <id>', 'your own id for the call, kept in the journal')
    .option('--approval <id>', 'the approval that a person has given for the call')
    .option('--reason <text>', 'your reason, for the person who approves the call')
    .addOption(maxAgeOption())
    .addOption(staleOption())
    .addOption(keyOption())
    .action(async (id: string, input: string[], options: CallOptions) =>
      (await import('./call.ts')).call(id, input, options),
    )
}

function addBatchCommand(program: Command): void {
  withCommonOptions(
    program
      .command('batch [file]')
      .description('make several calls; the file, or stdin, has the body of POST /v1/batch'),
  )
    .option('--explain', 'say what the calls would do, without sending anything')
    .option('--timeout-ms <n>', 'deadline for the whole batch', parsePositive)
    .option('--profile <name>', 'dialect of the envelopes; see GET /v1/profiles')
    .option('--token-budget <n>', 'maximum size of the whole answer in tokens', parseInteger)
    .option('--stop-on-error', 'begin no call after one has failed')
    .option('--correlation-id <id>', 'your own id for the calls, kept in the journal')
    .addOption(keyOption())
    .action(async (file: string | undefined, options: BatchOptions) =>
      (await import('./batch.ts')).batch(file, options),
    )
}

function addCallCommands(program: Command): void {
  addCallCommand(program)
  addBatchCommand(program)
  withCommonOptions(
    program
      .command('explain <id> [input...]')
      .description('show the plan for an input, without sending anything'),
  )
    .addOption(routeOption())
    .addOption(maxAgeOption())
    .addOption(staleOption())
    .addOption(keyOption())
    .action(async (id: string, input: string[], options: CallOptions) =>
      (await import('./call.ts')).explainCall(id, input, options),
    )
}

function addCatalogCommands(program: Command): void {
  withCommonOptions(
    program
      .command('capabilities [id]')
      .description('list the capabilities, or show one with its input and output'),
  ).action(async (id: string | undefined, options: CommonOptions) =>
    (await import('./capabilities.ts')).capabilities(id, options),
  )
  withCommonOptions(
    program
      .command('hints [id...]')
      .description('show what to do about errors, by the hint_id of the error'),
  ).action(async (ids: string[], options: CommonOptions) =>
    (await import('./hints.ts')).hints(ids, options),
  )
}

function addJournalCommands(program: Command): void {
  const list = (name: string, list: 'requests' | 'attempts', text: string) =>
    withFilterOptions(program.command(name).description(text), list)
      .option('--config <file>', 'settings file (YAML)')
      .option('--journal <file>', 'SQLite file (default: the journal in the settings)')
      .option('--limit <n>', `maximum number of ${list} (default: 20)`, parsePositive)
      .option('--json', 'print JSON')
  list('requests [id]', 'requests', 'read the journal: the newest requests, or one in full')
    .addOption(new Option('--batch <id>', 'the same as --batch-id').conflicts('batchId'))
    .addOption(new Option('--failed', 'only failed requests, as --ok false').conflicts('ok'))
    .action(async (id: string | undefined, options: RequestsOptions & GivenFilters) =>
      (await import('./requests.ts')).requests(id, options),
    )
  list('attempts', 'attempts', 'read the journal: the newest attempts').action(
    async (options: ListOptions & GivenFilters) =>
      (await import('./requests.ts')).attempts(options),
  )
  withCommonOptions(
    program
      .command('replay <file>')
      .description("make the decisions of an exported request again, with today's cards"),
  ).action(async (file: string, options: CommonOptions) =>
    (await import('./replay.ts')).replayFile(file, options),
  )
}

function addSettingsCommands(program: Command): void {
  withListenOptions(
    program
      .command('doctor')
      .description('report what serve lacks on this machine, and how to fix it'),
  )
    .option('--json', 'print JSON')
    .action(async (options: DoctorOptions) => (await import('./doctor.ts')).doctor(options))
  withListenOptions(
    program
      .command('config')
      .description('print the settings that serve would have, without secrets'),
  )
    .option('--json', 'print JSON')
    .action(async (options: ConfigOptions) => (await import('./config.ts')).config(options))
}

function addAuthorCommands(program: Command): void {
  withCommonOptions(
    program
      .command('types')
      .description('print TypeScript types of the capabilities, for signalbox/client'),
  ).action(async (options: CommonOptions) => (await import('./types.ts')).types(options))
  program
    .command('check [directories...]')
    .description('check cards and settings without starting the gateway')
    .option('--config <file>', 'settings file (YAML), checked as well')
    .addOption(packsOption())
    .option('--strict', 'exit with 1 for warnings too')
    .option('--github', 'compare the GitHub cards with the APIs that GitHub publishes')
    .action(async (directories: string[], options: CheckOptions) =>
      (await import('./check.ts')).check(directories, options),
    )
  program
    .command('import <document>')
    .description('make cards from an OpenAPI document or a GraphQL schema')
    .option('--out <dir>', 'folder to write (default: the id)')
    .option('--id <name>', 'id of the upstream (default: name of the folder, or the title)')
    .option(
      '--only <what>',
      "operations to import, e.g. 'GET /parts/*' or an operationId; repeatable",
      collect,
    )
    .option('--url <url>', 'address of the service (default: the one in the document)')
    .option('--dry-run', 'list the cards without writing them')
    .option('--force', 'overwrite existing files')
    .action(async (document: string, options: ImportOptions) =>
      (await import('./import.ts')).importDocument(document, options),
    )
}
