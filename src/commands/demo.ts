import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSandbox, type Sandbox, warmUp } from '../../sandbox/index.ts'
import type { Engine } from '../engine/engine.ts'
import { explainListen, startGateway } from '../gateway/server.ts'
import { settingsFileOf } from '../gateway/variables.ts'
import { RESET_PARTS } from '../model/reset.ts'
import { SettingsError } from '../model/settings-error.ts'
import { type CommonOptions, readSettings } from './options.ts'

const TOKEN = 'sandbox-token'

/** Runs a gateway whose GitHub is a sandbox on this machine: everything works, and nothing is real. */
export async function demo(options: CommonOptions): Promise<void> {
  await using open = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-'))
  open.defer(() => rm(directory, { recursive: true, force: true }))
  const sandbox = open.use(await startSandbox(join(directory, 'gh.sock')))
  const sandboxUrl = reachable(sandbox.url)
  await writeFile(join(directory, 'config.yml'), `http_unix_socket: ${sandbox.socketPath}\n`)
  const env = {
    ...process.env,
    GITHUB_API_URL: sandboxUrl,
    GITHUB_GRAPHQL_URL: `${sandboxUrl}/graphql`,
    GITHUB_UPLOAD_URL: sandboxUrl,
    GITHUB_TOKEN: TOKEN,
    GH_CONFIG_DIR: directory,
  }
  const file = settingsFileOf(env, options.config)
  const defaults = { journal: join(directory, 'journal.sqlite'), log_level: 'warn' } as const
  const read = () => readSettings(env, options, defaults)
  const settings = read()
  const opened = open.move()
  const afterClose = () => opened.disposeAsync()
  const onStart = (engine: Engine) => forgetWhenRepaired(sandbox, engine)
  const address = await startGateway({ settings, env, file, read, afterClose, onStart })
  process.stdout.write(
    welcome(settings.public_url || address, sandboxUrl, settings.keys.length > 0),
  )
  warmUp()
}

/** Resets what the gateway has learned from faults when they are removed, so that the next call shows the repair. */
function forgetWhenRepaired({ faults }: Sandbox, { upstreams, state, clock }: Engine): void {
  faults.onRepair = () => {
    for (const { upstream } of upstreams()) state.resets.make(upstream.id, RESET_PARTS, clock.now())
  }
}

async function startSandbox(socketPath: string) {
  const { SANDBOX_HOST, SANDBOX_PORT } = process.env
  const host = SANDBOX_HOST || '127.0.0.1'
  const port = Number(SANDBOX_PORT || 8081)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new SettingsError('SANDBOX_PORT is not usable: it must be a whole number up to 65535.')
  }
  try {
    return await createSandbox({ host, port, socketPath })
  } catch (error) {
    throw explainListen(error as NodeJS.ErrnoException, { host, port, prefix: 'SANDBOX_' })
  }
}

/** Replaces the address for all interfaces with the loopback address, which clients here can use. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}

function welcome(gateway: string, sandbox: string, withKey: boolean): string {
  const key = withKey ? " -H 'authorization: Bearer KEY'" : ''
  return `
Signalbox   ${gateway}        API: ${gateway}/docs
GitHub      ${sandbox}        a sandbox on this machine; nothing is sent anywhere else

Call a capability${withKey ? ', with KEY as in SIGNALBOX_KEYS=name:KEY' : ''}:

  curl -s ${gateway}/v1/capabilities/repo.view -H 'content-type: application/json'${key} \\
    -d '{"owner":"octo-org","name":"hello-world"}'

Break its first route, and call again to see the fallback:

  curl -s -X PUT ${sandbox}/_sandbox/faults -H 'content-type: application/json' \\
    -d '[{"on":{"route":"rest"},"do":{"status":503},"times":9}]'

See what was attempted:  ${gateway}/inspector
                    or:  curl -s ${gateway}/v1/requests${key}
`
}
