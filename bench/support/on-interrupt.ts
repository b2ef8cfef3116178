import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

const cleanUps: (() => unknown)[] = []

/** Cleans up when the bench is interrupted, what was made last first. A second signal ends it at once. */
export function onInterrupt(cleanUp: () => unknown): void {
  if (cleanUps.length === 0) {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => void end(signal))
  }
  cleanUps.push(cleanUp)
}

async function end(signal: 'SIGINT' | 'SIGTERM'): Promise<void> {
  // Anything that the bench was waiting for may fail now, and must not end it before everything is cleaned up.
  process.on('uncaughtException', () => {}).on('unhandledRejection', () => {})
  for (const cleanUp of cleanUps.toReversed()) {
    try {
      await cleanUp()
    } catch (error) {
      console.error(error)
    }
  }
  process.exit(128 + constants.signals[signal])
}

/** A directory for the files of a bench, which also goes when the bench is interrupted. */
export async function scratchDirectory(name: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), `signalbox-${name}-`))
  onInterrupt(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
