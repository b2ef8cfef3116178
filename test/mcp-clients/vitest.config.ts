import { defineConfig } from 'vitest/config'

/** Tests that need the clients in this folder's package; `npm run mcp-clients` installs them first. */
export default defineConfig({
  test: {
    include: ['test/mcp-clients/*.clients.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    globalSetup: ['test/support/global-setup.ts'],
  },
})
