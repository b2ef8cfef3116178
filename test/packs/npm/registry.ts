import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../support/free-port.ts'
import { until } from '../../support/until.ts'

export interface Registry extends AsyncDisposable {
  /** Address and port. */
  readonly host: string
  /** The token of a user who may publish. */
  readonly token: string
}

const CONFIG = `storage: ./storage
auth: { htpasswd: { file: ./htpasswd, max_users: 10 } }
packages: { '**': { access: $all, publish: $authenticated, unpublish: $authenticated } }
log: { type: stdout, format: json, level: error }
web: { enable: false }
`

/** A real registry on a free port, which knows no other registry. */
export async function startRegistry(): Promise<Registry> {
  const directory = await mkdtemp(join(tmpdir(), 'registry-'))
  const host = `127.0.0.1:${await freePort()}`
  await writeFile(join(directory, 'config.yaml'), CONFIG)
  const program = fileURLToPath(new URL('node_modules/verdaccio/bin/verdaccio', import.meta.url))
  const args = [program, '--config', 'config.yaml', '--listen', host]
  const child = spawn(process.execPath, args, { cwd: directory, stdio: 'ignore' })
  const dispose = async () => {
    await stop(child)
    await rm(directory, { recursive: true, force: true })
  }
  try {
    await until(() => isUp(host), Boolean)
    return { host, token: await createUser(host), [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

async function isUp(host: string): Promise<boolean> {
  const answer = await fetch(`http://${host}/-/ping`).catch(() => null)
  return answer?.ok ?? false
}

async function createUser(host: string): Promise<string> {
  const answer = await fetch(`http://${host}/-/user/org.couchdb.user:tester`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'tester', password: 'a-password-of-tests', type: 'user' }),
  })
  const { token } = (await answer.json()) as { token: string }
  return token
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exit = once(child, 'exit')
  child.kill()
  await exit
}
