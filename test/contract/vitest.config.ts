import { defineConfig } from 'vitest/config'

/** Tests that need the packages of this folder; `npm run contract` installs them first. */
export default defineConfig({
  test: {
    include: ['test/contract/*.contract.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ['test/support/global-setup.ts'],
  },
})
