import { configDefaults, defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

/** Compares the routes of every capability, which takes minutes: `npm run parity:cases`. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['test/parity/*.test.ts'],
    exclude: configDefaults.exclude,
  },
})
