import { defineConfig } from 'vitest/config'

/** Tests of the package that `npm pack` makes; `npm run packed` runs them. Packing and installing takes its time. */
export default defineConfig({
  test: {
    include: ['test/packed/*.packed.ts'],
    testTimeout: 60_000,
    hookTimeout: 300_000,
    globalSetup: ['test/support/global-setup.ts'],
  },
})
