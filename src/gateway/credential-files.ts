import type { Logger } from 'pino'
import type { Engine } from '../engine/engine.ts'
import { messageOf } from '../lib/message-of.ts'

const READ_MS = 5000

/** Warns of files of credentials that cannot be read: the gateway starts, because they may come later, but calls would fail. */
export async function warnOfFiles(
  { upstreams }: Pick<Engine, 'upstreams'>,
  logger: Pick<Logger, 'warn'>,
): Promise<void> {
  const files = upstreams().flatMap(({ upstream: { id, credentials } }) =>
    credentials.sources().flatMap(source => (source.isFile ? { id, ...source } : [])),
  )
  await Promise.all(
    files.map(async ({ id, name, attempt }) => {
      try {
        await attempt(AbortSignal.timeout(READ_MS))
      } catch (error) {
        const fault = { upstream: id, credential: name }
        logger.warn(
          fault,
          `a credential is missing, and calls that need it fail: ${messageOf(error)}`,
        )
      }
    }),
  )
}
