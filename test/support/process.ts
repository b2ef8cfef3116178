import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const signalbox = fileURLToPath(new URL('../../bin/signalbox.js', import.meta.url))

/** A gateway in its own process, which a test can kill. */
export interface GatewayProcess {
  readonly url: string
  readonly child: ChildProcess
  /** Everything that it has printed so far. */
  output(): string
  /** Sends a signal and waits for the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts `signalbox serve` and waits until it listens. */
export async function startGatewayProcess(env: Record<string, string>): Promise<GatewayProcess> {
  const child = spawn(process.execPath, [signalbox, 'serve'], {
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const [, address] = /listening on (http:\/\/[\d.:]+)/.exec(output) ?? []
      if (address) resolve(address)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', code => reject(new Error(`the gateway ended with ${code}: ${output}`)))
  })
  return {
    url,
    child,
    output: () => output,
    async end(signal) {
      const exited = once(child, 'close')
      child.kill(signal)
      const [code] = (await exited) as [number | null]
      return code
    },
  }
}
