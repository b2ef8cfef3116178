import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { SIGNALBOX } from '../commands/support/signalbox.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { githubEnv } from '../support/github.ts'

export const REPO = { owner: 'octo-org', name: 'hello-world' }

/** The ways to a gateway: an address, or a command that a client starts. */
export type Target = { readonly sandbox: TestGateway['sandbox'] } & (
  | { readonly url: string }
  | {
      readonly command: string
      readonly args: readonly string[]
      readonly env: Record<string, string>
    }
)

export const TRANSPORTS = ['HTTP', 'stdio'] as const

/** @param tools the tools to offer: `search`, `all` or patterns */
export async function openTarget(
  transport: (typeof TRANSPORTS)[number],
  tools: string,
): Promise<Target> {
  const gateway = await startTestGateway()
  onTestFinished(() => gateway[Symbol.asyncDispose]())
  const { url, sandbox } = gateway
  if (transport === 'HTTP') return { sandbox, url: `${url}/mcp?tools=${tools}` }
  const args = [SIGNALBOX, 'mcp', '--tools', tools]
  const env = { ...githubEnv(sandbox.url), PATH: process.env.PATH ?? '' }
  return { sandbox, command: process.execPath, args, env }
}

export interface Ended {
  readonly code: number
  readonly output: string
}

/** Runs a program of this folder's packages in an empty folder, with the environment of a stranger. */
export async function runPackaged(path: string, args: readonly string[]): Promise<Ended> {
  const program = fileURLToPath(new URL(`node_modules/${path}`, import.meta.url))
  const cwd = await mkdtemp(join(tmpdir(), 'mcp-client-'))
  onTestFinished(() => rm(cwd, { recursive: true, force: true }))
  const env = { PATH: process.env.PATH, HOME: cwd }
  return await new Promise(resolve => {
    execFile(process.execPath, [program, ...args], { cwd, env }, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code ?? 1)
      resolve({ code, output: stdout === '' ? stderr : stdout })
    })
  })
}
