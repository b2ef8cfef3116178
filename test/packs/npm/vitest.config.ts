import { defineConfig } from 'vitest/config'

/** Tests that need the registry in this folder's package; `npm run packs` installs it first. */
export default defineConfig({
  test: {
    include: ['test/packs/npm/*.packs.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ['test/support/global-setup.ts'],
  },
})
