import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable } from 'node:stream'

export interface DemoAddresses {
  readonly gateway: string
  readonly sandbox: string
}

/** The addresses that a demo prints when it is ready. */
export function demoAddresses(
  child: ChildProcessByStdio<null, Readable, null>,
): Promise<DemoAddresses> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const [, gateway] = /^Signalbox +(\S+)/m.exec(output) ?? []
      const [, sandbox] = /^GitHub +(\S+)/m.exec(output) ?? []
      if (gateway && sandbox) resolve({ gateway, sandbox })
    })
    child.once('exit', code => reject(new Error(`the demo ended with ${code}: ${output}`)))
  })
}
