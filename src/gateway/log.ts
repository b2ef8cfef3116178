import { type Logger, pino } from 'pino'
import type { WorkerLink } from './workers/link.ts'

/** The longest that a log line waits for others. A fatal line does not wait, and a shutdown flushes the rest. */
const LOG_DELAY_MS = 100
/** Lines are written in chunks of this size, because each write wakes another thread. */
const LOG_BYTES = 15 * 1024

/** Writes JSON lines to stdout. Those of a worker name it. */
export function createLogger(level: string, link: WorkerLink | null): Logger {
  const redact = ['req.headers.authorization', 'req.headers["x-upstream-authorization"]']
  const logger = pino({ level, redact }, openLines())
  return link === null ? logger : logger.child({ worker: link.slot })
}

/** Writes to stdout many lines at once and off the event loop, so that a slow reader delays no request. */
export function openLines() {
  const lines = pino.destination({
    dest: 1,
    sync: false,
    minLength: LOG_BYTES,
    periodicFlush: LOG_DELAY_MS,
    // In text mode, each new line copies and measures all lines that wait.
    contentMode: 'buffer',
  })
  return {
    // The types of pino do not know this mode.
    write: (line: string) => lines.write(Buffer.from(line) as Buffer & string),
    flushSync: () => lines.flushSync(),
  }
}
