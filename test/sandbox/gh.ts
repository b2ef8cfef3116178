import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/index.ts'

export interface GhResult {
  code: number
  stdout: string
  stderr: string
}

export interface Gh extends AsyncDisposable {
  readonly sandbox: Sandbox
  readonly run: (...words: string[]) => Promise<GhResult>
  /** Runs in the given folder, with text on standard input. */
  readonly runIn: (folder: string, stdin: string, ...words: string[]) => Promise<GhResult>
}

/**
 * The real `gh` with its own sandbox, settings and caches. `gh` caches facts about a server under
 * TMPDIR, so that with a shared one a run would influence the next.
 */
export async function startGh(options: SandboxOptions = {}): Promise<Gh> {
  const directory = await mkdtemp(join(tmpdir(), 'sb-'))
  const socketPath = join(directory, 'gh.sock')
  const temporary = join(directory, 'tmp')
  await mkdir(temporary)
  await writeFile(join(directory, 'config.yml'), `http_unix_socket: ${socketPath}\n`)
  const sandbox = await createSandbox({ ...options, socketPath })

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
    run: (...words) => execute(words, env, directory, ''),
    runIn: (folder, stdin, ...words) => execute(words, env, folder, stdin),
    async [Symbol.asyncDispose]() {
      await sandbox.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function execute(
  words: string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
  stdin: string,
): Promise<GhResult> {
  return new Promise(resolve => {
    const child = execFile('gh', words, { env, cwd }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
    })
    // `gh` may exit without reading its input.
    child.stdin?.on('error', () => {})
    child.stdin?.end(stdin)
  })
}
