import module from 'node:module'
import { parts } from './parts.ts'

/** Prepares the run: lists the optional programs that are missing on this machine. Under CI a missing one is an error. */
export default function setup(): void {
  cacheCompiledModules()
  const missing = parts.filter(part => !part.available)
  for (const { name, tests, install } of missing) {
    process.stdout.write(`skipped for lack of ${name}: ${tests} (to run them: ${install})\n`)
  }
  if (process.env.CI && missing.length > 0) {
    throw new Error(
      `CI must have every optional part: ${missing.map(part => part.name).join(', ')}`,
    )
  }
}

/** Spares each thread of each gateway that a test starts from loading Node's compiler for TypeScript. */
function cacheCompiledModules(): void {
  module.enableCompileCache()
  const directory = module.getCompileCacheDir()
  if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= directory
}
