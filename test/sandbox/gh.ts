import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSandbox, type Sandbox } from '../../sandbox/index.ts'

export interface GhResult {
  code: number
  stdout: string
  stderr: string
}

export interface Gh extends AsyncDisposable {
  readonly sandbox: Sandbox
  readonly run: (...words: string[]) => Promise<GhResult>
}

/**
 * The real `gh` on a sandbox of its own. Its settings and its caches are its own too: `gh` keeps
 * what it learned of a server under TMPDIR, so that one run would influence the next.
 */
export async function startGh(): Promise<Gh> {
  const directory = await mkdtemp(join(tmpdir(), 'sb-'))
  const socketPath = join(directory, 'gh.sock')
  const temporary = join(directory, 'tmp')
  await mkdir(temporary)
  await writeFile(join(directory, 'config.yml'), `http_unix_socket: ${socketPath}\n`)
  const sandbox = await createSandbox({ socketPath })

  const env = {
    PATH: process.env.PATH,
    HOME: directory,
    TMPDIR: temporary,
    GH_CONFIG_DIR: directory,
    GH_TOKEN: 'sandbox-token',
    GH_REPO: 'octo-org/hello-world',
    GH_PROMPT_DISABLED: '1',
    GH_NO_UPDATE_NOTIFIER: '1',
    NO_COLOR: '1',
  }
  return {
    sandbox,
    run: (...words) => execute(words, env, directory),
    async [Symbol.asyncDispose]() {
      await sandbox.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function execute(words: string[], env: NodeJS.ProcessEnv, cwd: string): Promise<GhResult> {
  return new Promise(resolve => {
    execFile('gh', words, { env, cwd }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}
