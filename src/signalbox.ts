#!/usr/bin/env node
import { enableCompileCache } from 'node:module'

// Before anything else is loaded: from the second start on, nothing is compiled again.
enableCompileCache()
// Whoever reads the output may have seen enough (`signalbox capabilities | head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})
const { createProgram } = await import('./commands/program.ts')
const { reportAndExit } = await import('./commands/report.ts')
try {
  await createProgram().parseAsync()
} catch (error) {
  reportAndExit(error)
}
