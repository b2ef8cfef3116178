import postgres from 'postgres'

/** A pool of connections. Numbers of PostgreSQL's bigint are times and keys, which JavaScript holds exactly. */
export type Database = postgres.Sql<{ bigint: number }>

export interface PoolOptions {
  readonly connections: number
  /** Statements that take longer are cancelled by the server. */
  readonly statementTimeoutMs: number
  /** Plans a statement anew for its values, rather than once for all: rare and common ones differ. */
  readonly planEachTime?: boolean
}

/** Opens a pool that connects when it is needed, and again after an outage. */
export function openPool(url: string, options: PoolOptions): Database {
  return postgres(url, {
    max: options.connections,
    connect_timeout: 5,
    // An outage is waited for by the write buffer; here, trying is cheap.
    backoff: attempt => Math.min(0.05 * 2 ** attempt, 0.5),
    onnotice: () => {},
    types: {
      bigint: { to: 20, from: [20], parse: Number, serialize: String },
    },
    connection: {
      application_name: 'signalbox',
      statement_timeout: options.statementTimeoutMs,
      // Compiling a statement takes longer than running any of these.
      jit: 'off',
      ...(options.planEachTime ? { plan_cache_mode: 'force_custom_plan' } : {}),
    },
  })
}

/** Where the database is, without the credentials in its address. */
export function describeAddress(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  return `${hostname}${port ? `:${port}` : ''}${pathname}`
}
