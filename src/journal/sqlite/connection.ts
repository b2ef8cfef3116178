import { DatabaseSync } from 'node:sqlite'

/**
 * What a commit survives. `normal`: the death of the process, at no cost that can be measured. `full`:
 * also the loss of power, at one disk flush for each commit.
 */
export type Durability = 'normal' | 'full'

export interface ConnectionOptions {
  readonly durability?: Durability
  /** How long a statement may block its thread while another connection holds the lock. */
  readonly busyTimeoutMs?: number
  readonly readOnly?: boolean
}

/** A connection with the settings that every connection to a journal has. */
export function connect(file: string, options: ConnectionOptions = {}): DatabaseSync {
  const { durability = 'normal', busyTimeoutMs = 1000, readOnly = false } = options
  const db = new DatabaseSync(file, { readOnly, timeout: busyTimeoutMs })
  if (!readOnly) db.exec('PRAGMA journal_mode = WAL')
  db.exec(`
    PRAGMA synchronous = ${durability};
    PRAGMA wal_autocheckpoint = 0;    -- housekeeping does it, off the threads that answer requests
    PRAGMA journal_size_limit = 33554432;
    PRAGMA cache_size = -16000;
    PRAGMA temp_store = memory;
  `)
  return db
}
