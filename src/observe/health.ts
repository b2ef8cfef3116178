import type { Engine } from '../engine/engine.ts'
import type { JournalHealth, SharedHealth } from '../model/health.ts'

/** The health of a gateway. */
export interface Health {
  readonly journal: JournalHealth
  /** The health of the store of Idempotency-Keys. */
  readonly keys: SharedHealth
  /** The health of the state that it shares with others; null when it shares none. */
  readonly state: SharedHealth | null
  /** The workers that do not answer, by their numbers. */
  readonly silent: readonly number[]
}

export function healthOf({ journal, state }: Pick<Engine, 'journal' | 'state'>): Health {
  const journalHealth = journal.health()
  return {
    journal: journalHealth,
    // Usually both are in one database.
    keys: state.idempotency.health(!journalHealth.ok),
    state: state.shared?.health() ?? null,
    silent: [],
  }
}

interface Answer {
  readonly worker: number
  /** Null if it does not answer. */
  readonly answer: Health | null
}

/** The health of several workers: as good as that of the worst. */
export function mergeHealth(all: readonly Answer[]): Health {
  const known = all.flatMap(({ answer }) => answer ?? [])
  const silent = all.flatMap(({ worker, answer }) => (answer === null ? worker : []))
  const journals = known.map(({ journal }) => journal)
  const states = known.flatMap(({ state }) => state ?? [])
  return {
    journal: {
      ...worst(journals),
      waiting: journals.reduce((sum, { waiting }) => sum + waiting, 0),
      dropped: journals.reduce((sum, { dropped }) => sum + dropped, 0),
    },
    keys: worst(known.map(({ keys }) => keys)),
    state: worst([...silent.map(describeSilent), ...states]),
    silent,
  }
}

function describeSilent(worker: number): SharedHealth {
  return { ok: false, message: `worker ${worker} does not answer` }
}

function worst(all: readonly SharedHealth[]): SharedHealth {
  const bad = all.find(({ ok }) => !ok)
  return { ok: bad === undefined, message: bad?.message ?? null }
}
