import { type Command, Option } from 'commander'
import { APPROVAL_STATUSES } from '../model/approval.ts'
import { AUDIT_ACTIONS } from '../model/audit.ts'
import type { ListOptions } from './approvals.ts'
import type { AuditListOptions } from './audit.ts'
import { parseInteger, parsePositive, withCommonOptions } from './options.ts'

export function addKeyCommands(program: Command): void {
  program
    .command('keys')
    .description('gateway keys')
    .command('create <name>')
    .description('print a new secret, and the entry of the settings file for it')
    .action(async (name: string) => (await import('./keys.ts')).createKey(name))
}

export function addApprovalCommands(program: Command): void {
  const approvals = withCommonOptions(
    program
      .command('approvals')
      .description('calls that wait for a person; without a subcommand, lists them'),
  )
    .addOption(
      new Option('--status <status>', 'approvals in this state, or all (default: waiting)').choices(
        [...APPROVAL_STATUSES, 'all'],
      ),
    )
    .option('--json', 'print JSON')
    .action(async (options: ListOptions) => (await import('./approvals.ts')).listApprovals(options))
  withCommonOptions(
    approvals.command('show <id>').description('print one: the input, the plan, the decision'),
  ).action(async (id: string, _options: object, command: Command) =>
    (await import('./approvals.ts')).showApproval(id, command.optsWithGlobals()),
  )
  withCommonOptions(
    approvals.command('approve <id>').description('let the call run, once unless --for-ms is set'),
  )
    .option('--note <text>', 'kept with the decision')
    .option('--for-ms <n>', 'let the same call run for this long', parseInteger)
    .action(async (id: string, _options: object, command: Command) =>
      (await import('./approvals.ts')).decideApproval(id, true, command.optsWithGlobals()),
    )
  withCommonOptions(
    approvals.command('refuse <id>').description('refuse the call; its caller sees the note'),
  )
    .option('--note <text>', 'what the caller should know')
    .action(async (id: string, _options: object, command: Command) =>
      (await import('./approvals.ts')).decideApproval(id, false, command.optsWithGlobals()),
    )
}

export function addAuditCommands(program: Command): void {
  const audit = withAuditFilter(
    withCommonOptions(
      program
        .command('audit')
        .description('decisions about keys, credentials, approvals and settings; the newest first'),
    ),
  )
    .option('--limit <n>', 'maximum number of records (default: 50)', parsePositive)
    .option('--json', 'print JSON')
    .action(async (options: AuditListOptions) => (await import('./audit.ts')).listAudit(options))
  withAuditFilter(
    withCommonOptions(audit.command('export').description('print all records as JSON lines')),
  ).action(async (_options: object, command: Command) =>
    (await import('./audit.ts')).exportLines(command.optsWithGlobals()),
  )
  withCommonOptions(
    audit
      .command('verify [file]')
      .description('find records that are missing or were changed, here or in an exported file'),
  )
    .option('--head <number:hash>', 'a head that was kept elsewhere: it must be in the chain')
    .option('--json', 'print JSON')
    .action(async (file: string | undefined, _options: object, command: Command) =>
      (await import('./audit.ts')).verifyAudit(file, command.optsWithGlobals()),
    )
}

function withAuditFilter(command: Command): Command {
  return command
    .addOption(new Option('--action <action>', 'only this kind').choices(AUDIT_ACTIONS))
    .option('--actor <name>', 'only decisions of this key or person')
    .option('--subject <name>', 'only decisions about this key, approval, credential or file')
    .option('--since <time>', 'only records since this time (RFC 3339, or a date)')
    .option('--until <time>', 'only records before this time')
}
