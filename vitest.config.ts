import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // A good part of the time tests wait for other processes, and a core for each worker would idle.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // What is loaded once, and compiled, serves every file of a worker. So no file may count on a module that nobody
    // has used before: the registry of JMESPath's functions, for one, is that of the whole worker.
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // What is waited for comes when it comes: a busy machine is no fault.
    expect: { poll: { timeout: 10_000 } },
    globalSetup: ['test/support/global-setup.ts'],
  },
})
