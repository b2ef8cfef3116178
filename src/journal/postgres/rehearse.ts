import type { Database, Queries } from './connection.ts'
import { applyMigrations, SCHEMA_VERSION } from './schema.ts'

export interface Rehearsal {
  /** The version that it found; 0 is an empty database. */
  readonly found: number
  readonly current: number
  /** Whether it took too long, so that the rest was not tried. */
  readonly isCutOff: boolean
}

/** All statements of a rehearsal begin within this time. */
const REHEARSAL_MS = 3_000

/**
 * Runs `migrate` and rolls it back. To index a large journal takes minutes, in which no gateway could write to it: after a
 * few seconds, or a statement that takes longer than this database allows, the rehearsal ends without a verdict.
 */
export async function rehearseMigration(database: Database): Promise<Rehearsal> {
  let found = 0
  let isCutOff = false
  const rehearsal = database.transaction(async tx => {
    await applyMigrations(withDeadline(tx, REHEARSAL_MS), version => {
      found = version
    })
    throw new RolledBack()
  })
  await rehearsal.catch(error => {
    isCutOff = found > 0 && (error instanceof OutOfTime || isTimeout(error))
    if (!isCutOff && !(error instanceof RolledBack)) throw error
  })
  return { found, current: SCHEMA_VERSION, isCutOff }
}

const QUERY_CANCELED = '57014'

/** The limit of the server, or that of the client, which counts several statements of one text together. */
function isTimeout(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return code === QUERY_CANCELED || message === 'Query read timeout'
}

class RolledBack extends Error {}
class OutOfTime extends Error {}

/** Begins no statement later than in `ms` milliseconds. */
function withDeadline(tx: Queries, ms: number): Queries {
  const end = performance.now() + ms
  const inTime = <T>(begin: () => Promise<T>): Promise<T> =>
    performance.now() < end ? begin() : Promise.reject(new OutOfTime())
  return {
    query: <Row>(text: string, values?: readonly unknown[]) =>
      inTime(() => tx.query<Row>(text, values)),
    run: text => inTime(() => tx.run(text)),
  }
}
