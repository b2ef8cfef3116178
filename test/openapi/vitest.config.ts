import { defineConfig } from 'vitest/config'

/** Tests that need the packages of this folder; `npm run openapi` installs them first. */
export default defineConfig({
  test: {
    include: ['test/openapi/*.openapi.ts'],
    testTimeout: 510_000,
    hookTimeout: 510_000,
  },
})
