import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@redis/client'
import { freePort } from './free-port.ts'

/** A Redis server for one test file, which can stop and start it. */
export interface TestRedis {
  /** Returns the address of an empty database. */
  createDatabase(): string
  /** Returns the address of a database. */
  url(number: number): string
  /** Sends a command about the database of an address. */
  send(url: string, ...words: string[]): Promise<unknown>
  /** Kills the server, which loses all its data. */
  kill(): Promise<void>
  /** Suspends the server: it accepts connections, but does not answer. */
  pause(): void
  resume(): void
  start(): Promise<void>
  /** Stops it and removes its files. */
  remove(): Promise<void>
}

const DATABASES = 1_000

export async function startRedis(settings: readonly string[] = []): Promise<TestRedis> {
  const directory = mkdtempSync(join(tmpdir(), 'signalbox-redis-'))
  const port = await freePort()
  let databases = 0
  const url = `redis://127.0.0.1:${port}`
  let server: ChildProcess
  const start = async () => {
    const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory]
    const memory = ['--save', '', '--appendonly', 'no', '--databases', String(DATABASES)]
    server = spawn('redis-server', [...place, ...memory, ...settings], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const output = server.stdout
    await new Promise<void>((resolve, reject) => {
      output?.on('data', (chunk: Buffer) => {
        if (chunk.includes('Ready to accept connections')) resolve()
      })
      server.once('exit', code => reject(new Error(`redis-server ended with ${code}`)))
    })
  }
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const exited = once(server, 'exit')
    server.kill('SIGKILL')
    await exited
  }
  await start()
  return {
    start,
    kill,
    createDatabase: () => `${url}/${databases++}`,
    url: number => `${url}/${number}`,
    async send(url, ...words) {
      const client = await createClient({ url }).connect()
      try {
        return await client.sendCommand(words)
      } finally {
        client.destroy()
      }
    },
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    async remove() {
      server.kill('SIGCONT')
      await kill()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
