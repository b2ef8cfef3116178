import { configDefaults, defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

/** The tables of docs/promises.md; `npm run promises` runs them. */
export default defineConfig({
  test: {
    ...base.test,
    // Their tables make many calls in each test.
    testTimeout: 120_000,
    include: ['test/promises/*.test.ts'],
    exclude: configDefaults.exclude,
    // Concurrent tests wait for delays and deadlines most of the time.
    maxConcurrency: 12,
  },
})
