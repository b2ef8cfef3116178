import { defineConfig } from 'vitest/config'

/** Tests that need the packages of this folder; `npm run documents` installs them first. */
export default defineConfig({
  test: {
    include: ['test/documents/*.documents.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Each document needs its own validator, which takes a processor and much memory.
    fileParallelism: false,
  },
})
