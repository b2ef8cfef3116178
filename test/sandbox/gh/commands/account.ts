import type { GhCommand } from '../command.ts'

/** Commands about `gh` itself and the caller. */
export const commands: readonly GhCommand[] = [
  { run: 'status --org=octo-org', prints: 'hello-world#36' },
  { run: 'auth token', prints: 'sandbox-token\n' },
  { run: 'auth status --show-token', prints: 'Logged in to github.com' },
  { run: 'browse 4 --no-browser', prints: 'https://github.com/octo-org/hello-world/issues/4\n' },
  {
    run: 'browse src/index.ts:3 --no-browser',
    prints: 'https://github.com/octo-org/hello-world/blob/main/src/index.ts?plain=1#L3',
  },
]
