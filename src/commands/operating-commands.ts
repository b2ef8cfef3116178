import type { Command } from 'commander'
import type { GatewayOptions } from './gateway-client.ts'
import type { ResetOptions } from './operating.ts'
import type { StatusOptions } from './status.ts'

/** Commands that ask a running gateway over HTTP. */
export function addOperatingCommands(program: Command): void {
  withGateway(
    program
      .command('status')
      .description('show a running gateway on one screen; exits with 1 if it is not ready'),
  )
    .option('--json', 'print JSON')
    .action(async (options: StatusOptions) => (await import('./status.ts')).status(options))
  const upstreams = program.command('upstreams').description('services behind a running gateway')
  withGateway(
    upstreams
      .command('reset <id>')
      .description('make it forget the quotas and circuits of an upstream'),
  )
    .option('--quota', 'forget the quotas only')
    .option('--circuit', 'close the circuits and fill the retry budget only')
    .action(async (id: string, options: ResetOptions) =>
      (await import('./operating.ts')).resetUpstream(id, options),
    )
  const cards = program.command('cards').description('cards of a running gateway')
  withGateway(cards.command('reload').description('make it load its cards again')).action(
    async (options: GatewayOptions) => (await import('./operating.ts')).reloadCards(options),
  )
}

function withGateway(command: Command): Command {
  return command
    .option('--url <url>', 'address of the gateway (default: HOST and PORT of the settings)')
    .option(
      '--key <name>',
      'send the secret of this key of the settings (default: an operator key)',
    )
    .option('--key-file <file>', 'send the secret in this file')
    .option('--config <file>', 'settings file (YAML)')
}
