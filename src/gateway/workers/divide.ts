import { availableParallelism } from 'node:os'
import type { Adapter, ConnectOptions } from '../../model/adapter.ts'
import { SettingsError } from '../../model/settings-error.ts'
import type { Settings } from '../config.ts'
import { usualHeldBytes } from '../held-bytes.ts'

/** The number of workers that the settings ask for. */
export function workersOf({ workers }: Pick<Settings, 'workers'>): number {
  return workers === 'auto' ? availableParallelism() : workers
}

/** @throws {SettingsError} for a journal that several workers cannot have. */
export function assertShareable(settings: Pick<Settings, 'journal' | 'workers'>): void {
  if (settings.journal !== ':memory:' || workersOf(settings) === 1) return
  throw new SettingsError(
    'workers need a journal that several processes can read: set SIGNALBOX_JOURNAL to a file or to postgres://…, or start one worker.',
  )
}

/** The settings of one of several workers: what bounds the gateway as a whole is divided among them. */
export function shareOf(settings: Settings, workers: number): Settings {
  const held = settings.max_held_bytes || usualHeldBytes()
  return {
    ...settings,
    max_calls: Math.max(1, Math.floor(settings.max_calls / workers)),
    max_held_bytes: Math.floor(held / workers),
  }
}

/** Limits of a section of `upstream.yaml`, and what holds where the section says nothing. */
const LIMITS = {
  rest: { connections: 64 },
  graphql: { connections: 64 },
  cli: { max_processes: null, max_queue: 64 },
} as const

type Section = Readonly<Record<string, unknown>>

/** Divides the sockets and programs of each service among the workers. */
export function dividedAdapter(adapter: Adapter, workers: number): Adapter {
  return {
    ...adapter,
    connect: (section, options) =>
      adapter.connect(divide(section as Section, adapter.route, workers, options), options),
  }
}

function divide(
  section: Section,
  route: Adapter['route'],
  workers: number,
  { compiler }: ConnectOptions,
): Section {
  const divided: Record<string, unknown> = { ...section }
  for (const [name, usual] of Object.entries(LIMITS[route])) {
    // One program for each core is one for each worker where there are no more cores than workers.
    const given = section[name]
    const whole =
      typeof given === 'number' ? given : (usual ?? Math.max(workers, availableParallelism()))
    const share = Math.floor(whole / workers)
    if (share === 0 && name !== 'max_queue') {
      const message = `${workers} workers cannot divide ${whole} among them`
      compiler.problem([name], message, `Set ${workers} or more, or start fewer workers.`)
    }
    divided[name] = Math.max(share, name === 'max_queue' ? 0 : 1)
  }
  if (typeof section.max_queue === 'number')
    divided.max_queue = Math.floor(section.max_queue / workers)
  return divided
}
