import { defineConfig } from 'vitest/config'

/** Tests that need the schemas and policies in this folder's package; `npm run kubernetes` installs them first. */
export default defineConfig({
  test: { include: ['test/kubernetes/*.kubernetes.ts'], testTimeout: 60_000 },
})
