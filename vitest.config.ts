import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The tables of the promises and the comparison of routes take minutes: `npm run promises`, `npm run parity:cases`.
    exclude: [...configDefaults.exclude, 'test/promises/**', 'test/parity/**'],
    // Tests often wait for other processes. With one worker for each core, cores would idle.
    maxWorkers: Math.ceil(availableParallelism() * 2),
    // Load and compile each module once per worker, not once per test file. Test files therefore share module
    // state, such as the registry of JMESPath functions, and must not rely on a fresh module.
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // A busy machine is slow: do not fail a poll early.
    expect: { poll: { timeout: 10_000 } },
    globalSetup: ['test/support/global-setup.ts'],
  },
})
