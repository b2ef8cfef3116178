#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { restartLean, shareCompileCache } from './lib/restart-lean.ts'
import { leaveOnSignal } from './lib/start-signals.ts'

/** Commands that start a gateway, which takes a second or more. */
const STARTING = ['serve', 'demo']

// Enable the cache before loading anything else, so that later starts compile nothing again.
enableCompileCache()
shareCompileCache()
const isStarting = STARTING.includes(process.argv[2] ?? '')
if (isStarting) restartLean()
// The reader may close the pipe early (`signalbox capabilities | head`). That is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})
if (isStarting) leaveOnSignal()
const { createProgram } = await import('./commands/program.ts')
const { reportAndExit } = await import('./commands/report-error.ts')
try {
  await createProgram().parseAsync()
} catch (error) {
  reportAndExit(error)
}
