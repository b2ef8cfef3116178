import { type Logger, pino } from 'pino'
import { LineWriter } from '../lib/line-writer.ts'
import { counted } from '../lib/text.ts'
import type { WorkerLink } from './workers/link.ts'

/** The longest that a log line waits for others. A fatal line does not wait, and a shutdown flushes the rest. */
const LOG_DELAY_MS = 100
/** Lines are written in chunks of this size, because each write wakes another thread. */
const LOG_BYTES = 15 * 1024
const MOST_WAITING_BYTES = 16 * 1024 * 1024

/** Writes JSON lines to stdout. Those of a worker name it. */
export function createLogger(level: string, link: WorkerLink | null): Logger {
  const redact = ['req.headers.authorization', 'req.headers["x-upstream-authorization"]']
  const logger = pino({ level, redact }, openLines())
  return link === null ? logger : logger.child({ worker: link.slot })
}

let lines: LineWriter | null = null

/** The writer of this process for its log, to stdout: a slow reader delays no request. */
export function openLines(): LineWriter {
  if (lines !== null) return lines
  const writer = new LineWriter({
    fd: 1,
    delayMs: LOG_DELAY_MS,
    chunkBytes: LOG_BYTES,
    mostBytes: MOST_WAITING_BYTES,
    describeLoss,
  })
  process.on('exit', () => writer.flushSync())
  lines = writer
  return writer
}

function describeLoss(count: number, error: NodeJS.ErrnoException | null): string {
  const lines = counted(count, 'line of the log is', 'lines of the log are')
  const msg = `${lines} lost: ${error?.code ?? 'they were read too slowly'}`
  return `${JSON.stringify({ level: 40, time: Date.now(), pid: process.pid, msg })}\n`
}
