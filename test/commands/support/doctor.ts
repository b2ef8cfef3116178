import { once } from 'node:events'
import { chmod, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { diagnose } from '../../../src/commands/doctor.ts'
import type { CommonOptions } from '../../../src/commands/options.ts'
import type { Finding } from '../../../src/tools/doctor/finding.ts'
import { type Service, startService } from '../../support/service.ts'
import { signalbox, temporaryDirectory, type Variables } from './signalbox.ts'

export const TOKEN = 'a-token-of-the-operator'

export interface Diagnosis {
  /** The exit code. */
  readonly code: number
  readonly findings: readonly Finding[]
  /** The findings of a part, each as `level message — fix`. */
  readonly of: (part: string) => string
}

/** Runs doctor in this process: a process for each test would take minutes. */
export async function doctor(env: Variables, options: CommonOptions = {}): Promise<Diagnosis> {
  return toDiagnosis(await diagnose(options, env))
}

/** Runs the real command in its own process. */
export async function doctorProcess(env: Variables): Promise<Diagnosis> {
  const { code, stdout, stderr } = await signalbox(['doctor', '--json'], env)
  expect(stderr).toBe('')
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] }
  const diagnosis = toDiagnosis(findings)
  expect({ code, ok }).toEqual({ code: diagnosis.code, ok: diagnosis.code === 0 })
  return diagnosis
}

function toDiagnosis(findings: readonly Finding[]): Diagnosis {
  const of = (part: string) =>
    findings
      .filter(finding => finding.part === part)
      .map(({ level, message, fix }) => [level, message, ...(fix ? ['—', fix] : [])].join(' '))
      .join('\n')
  return { code: findings.some(({ level }) => level === 'fail') ? 1 : 0, findings, of }
}

/** A service for the GitHub pack, which answers 404 to everything. */
function startGithub(): Promise<Service> {
  return startService((_request, response) => void response.writeHead(404).end())
}

/** Accepts connections and never answers. */
export async function startSilence(): Promise<number> {
  return await listening(createTcpServer(socket => onTestFinished(() => void socket.destroy())))
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

export async function directory(): Promise<string> {
  const made = await temporaryDirectory()
  onTestFinished(() => made[Symbol.asyncDispose]())
  return made.path
}

/** The environment of a machine that lacks nothing. */
export async function goodSetup() {
  const [path, service] = [await directory(), await startGithub()]
  const gh = join(path, 'gh')
  await writeFile(gh, '#!/bin/sh\necho gh version 2.60.1\n')
  await chmod(gh, 0o755)
  const env = {
    PATH: path,
    PORT: '0',
    GITHUB_TOKEN: TOKEN,
    GITHUB_API_URL: service.url,
    GITHUB_GRAPHQL_URL: `${service.url}/graphql`,
    SIGNALBOX_JOURNAL: join(path, 'data', 'journal.sqlite'),
  }
  return { env, path, service }
}
