import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SandboxOptions, Store } from '../../../sandbox/index.ts'
import { type Gh, type GhResult, startGh } from '../gh.ts'
import { type GhCommand, wordsOf } from './command.ts'

/** The result of a command. */
export interface Ran extends GhResult {
  readonly store: Store
  readonly folder: string
}

/**
 * A pool of sandboxes for concurrent commands. Starting a sandbox takes as long as a run of `gh`, and
 * resetting one takes a quarter of that.
 */
export class Places implements AsyncDisposable {
  readonly #options: SandboxOptions
  readonly #idle: Gh[] = []

  constructor(options: SandboxOptions = {}) {
    this.#options = options
  }

  /** Runs a command on a reset sandbox, in a folder of its own, and passes the result to `look`. */
  async run<T>(command: GhCommand, look: (ran: Ran) => T): Promise<T> {
    const gh = this.#idle.pop() ?? (await startGh(this.#options))
    const folder = await mkdtemp(join(tmpdir(), 'gh-'))
    try {
      gh.sandbox.reset()
      command.given?.(gh.sandbox.store)
      await layFiles(folder, command)
      const words = wordsOf(command, gh.sandbox.store)
      const result = await gh.runIn(folder, command.stdin ?? '', ...words)
      return look({ ...result, store: gh.sandbox.store, folder })
    } finally {
      await rm(folder, { recursive: true })
      this.#idle.push(gh)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#idle.map(gh => gh[Symbol.asyncDispose]()))
  }
}

async function layFiles(folder: string, { files = {}, inClone }: GhCommand): Promise<void> {
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  if (inClone) await layClone(join(folder, '.git'))
}

/** Writes the parts of a git clone that `gh` reads. */
async function layClone(git: string): Promise<void> {
  await mkdir(join(git, 'objects'), { recursive: true })
  await mkdir(join(git, 'refs'))
  await writeFile(join(git, 'HEAD'), 'ref: refs/heads/topic-4\n')
  const config = `[core]
\trepositoryformatversion = 0
[remote "origin"]
\turl = https://github.com/octo-org/hello-world.git
\tfetch = +refs/heads/*:refs/remotes/origin/*
`
  await writeFile(join(git, 'config'), config)
}
