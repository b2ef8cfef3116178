/** A small child process that runs a program whenever its parent sends the arguments, and tells how long that took, in ms. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

const [program = ''] = process.argv.slice(2)

process.on('message', (args: readonly string[]) => {
  const began = performance.now()
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  void Promise.all([once(child, 'close'), text(child.stdout)]).then(() =>
    process.send?.(performance.now() - began),
  )
})
process.once('disconnect', () => process.exit())
process.send?.('ready')
