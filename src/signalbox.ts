#!/usr/bin/env node
import { enableCompileCache } from 'node:module'

// Enable the cache before loading anything else, so that later starts compile nothing again.
enableCompileCache()
// The reader may close the pipe early (`signalbox capabilities | head`). That is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})
const { createProgram } = await import('./commands/program.ts')
const { reportAndExit } = await import('./commands/report-error.ts')
try {
  await createProgram().parseAsync()
} catch (error) {
  reportAndExit(error)
}
