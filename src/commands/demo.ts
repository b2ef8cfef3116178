import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSandbox } from '../../sandbox/index.ts'
import { loadSettings } from '../config.ts'
import { startGateway } from '../server.ts'
import { type CommonOptions, flagsOf } from './program.ts'

const TOKEN = 'sandbox-token'

/** A gateway whose GitHub is a sandbox on this machine: everything works, nothing is real. */
export async function demo(options: CommonOptions): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-'))
  const sandbox = await createSandbox({
    port: Number(process.env.SANDBOX_PORT ?? 8081),
    socketPath: join(directory, 'gh.sock'),
  })
  await writeFile(
    join(directory, 'config.yml'),
    `http_unix_socket: ${join(directory, 'gh.sock')}\n`,
  )
  const env = {
    SIGNALBOX_JOURNAL: join(directory, 'journal.sqlite'),
    SIGNALBOX_LOG_LEVEL: 'warn',
    ...process.env,
    GITHUB_API_URL: sandbox.url,
    GITHUB_GRAPHQL_URL: `${sandbox.url}/graphql`,
    GITHUB_TOKEN: TOKEN,
    GH_CONFIG_DIR: directory,
  }
  const settings = loadSettings(env, options.config ?? null, flagsOf(options))
  const also = async () => {
    await sandbox.close()
    await rm(directory, { recursive: true, force: true })
  }
  const address = await startGateway({ settings, env, also })
  process.stdout.write(welcome(address, sandbox.url))
}

function welcome(gateway: string, sandbox: string): string {
  return `
Signalbox   ${gateway}        API: ${gateway}/docs
GitHub      ${sandbox}        a sandbox on this machine; nothing is sent anywhere else

Call a capability:

  curl -s ${gateway}/v1/capabilities/repo.view -H 'content-type: application/json' \\
    -d '{"owner":"octo-org","name":"hello-world"}'

Break its first route, and call again to see the fallback:

  curl -s -X PUT ${sandbox}/_sandbox/faults -H 'content-type: application/json' \\
    -d '[{"on":{"route":"rest"},"do":{"status":503},"times":9}]'

See what was attempted:  curl -s ${gateway}/v1/requests
`
}
