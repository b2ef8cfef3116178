import { DatabaseSync } from 'node:sqlite'
import type { Durability } from '../options.ts'

export interface ConnectionOptions {
  readonly durability?: Durability
  /** How long a statement may block its thread while another connection holds the lock. @default 1000 */
  readonly busyTimeoutMs?: number
  readonly readOnly?: boolean
}

/** Opens a connection with the settings that all connections to a journal share. */
export function connect(file: string, options: ConnectionOptions = {}): DatabaseSync {
  const { durability = 'normal', busyTimeoutMs = 1000, readOnly = false } = options
  const db = new DatabaseSync(file, { readOnly, timeout: busyTimeoutMs })
  if (!readOnly) db.exec('PRAGMA journal_mode = WAL')
  db.exec(`
    PRAGMA synchronous = ${durability};
    PRAGMA wal_autocheckpoint = 0;    -- housekeeping checkpoints, on a thread that answers no requests
    PRAGMA journal_size_limit = 33554432;
    PRAGMA cache_size = -16000;
    PRAGMA temp_store = memory;
  `)
  return db
}
