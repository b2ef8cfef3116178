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
    // A busy machine can be four times slower: do not fail a test early, or a poll.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    globalSetup: ['test/support/global-setup.ts'],
  },
})
