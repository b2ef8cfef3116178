import { hostname } from 'node:os'

const POSTGRES_URL = /^postgres(ql)?:\/\//

/** Whether the setting `journal` names a PostgreSQL database. */
export function isPostgres(journal: string): boolean {
  return POSTGRES_URL.test(journal)
}

/** Names this process in the records of the audit. */
export function processName(): string {
  return `${hostname()}/${process.pid}`
}
