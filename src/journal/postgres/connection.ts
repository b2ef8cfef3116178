import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Durability } from '../options.ts'
import { Listener } from './listener.ts'

export interface PoolOptions {
  readonly connections: number
  /** The server cancels statements that take longer. 0 is no limit. */
  readonly statementTimeoutMs: number
  /** Plans a statement for its values each time: the best plan differs between rare and common values. */
  readonly planEachTime?: boolean
  /** @default 'normal' */
  readonly durability?: Durability
  /** Sends statements without waiting for the replies to earlier ones. */
  readonly pipeline?: boolean
}

/** Runs statements with `$1`, `$2` … for values. `bigint` columns hold times and keys, all of them safe integers. */
export interface Queries {
  /** Prepares each text once for each connection, so there must be few texts. */
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** Runs one or more statements without values. */
  run(text: string): Promise<void>
}

const CONNECT_TIMEOUT_MS = 5000
/** A reachable server cancels a statement within this time. */
const CANCEL_MS = 3000
const CLOSE_TIMEOUT_MS = 1000
const PATIENCE_MS = 60 * 60 * 1000

/** A pool of connections that connects on demand, and reconnects after an outage. */
export class Database implements Queries {
  readonly #url: string
  readonly #config: pg.ClientConfig
  readonly #pool: pg.Pool
  readonly #sockets = new Set<Socket>()
  #listener: Listener | null = null

  constructor(url: string, options: PoolOptions) {
    this.#url = url
    this.#config = configOf(url, options, () => this.#openSocket())
    this.#pool = new pg.Pool({
      ...this.#config,
      max: options.connections,
      idleTimeoutMillis: 0,
    })
    // A lost connection fails the statements on it; nobody needs another report.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', client => client.on('error', () => {}))
  }

  async query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]> {
    return await queriesOn(this.#pool).query(text, values)
  }

  async run(text: string): Promise<void> {
    await this.#pool.query(text)
  }

  /** Commits everything that `work` does, or nothing. */
  async transaction<T>(work: (tx: Queries) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect()
    try {
      await client.query('BEGIN')
      const result = await work(queriesOn(client))
      await client.query('COMMIT')
      client.release()
      return result
    } catch (error) {
      // Close the connection, whatever state it is in: the server then rolls back.
      client.release(true)
      throw error
    }
  }

  /** Another connection to the same database, for statements that read whole tables. */
  patient(): Database {
    return new Database(this.#url, { connections: 1, statementTimeoutMs: PATIENCE_MS })
  }

  /** Subscribes to a channel. Rejects if the database cannot be reached, unless it may be away for now. */
  async listen(
    channel: string,
    onPayload: (payload: string) => void,
    mayBeAway = false,
  ): Promise<void> {
    this.#listener = new Listener(this.#config, channel, onPayload)
    if (mayBeAway) this.#listener.connectSoon()
    else await this.#listener.connect()
  }

  /** Waits for running statements, but not long for a server that does not answer. */
  async close(): Promise<void> {
    const ending = Promise.all([this.#listener?.close(), this.#pool.end()])
    await Promise.race([ending, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
    for (const socket of this.#sockets) socket.destroy()
  }

  #openSocket(): Socket {
    const socket = new Socket()
    this.#sockets.add(socket)
    return socket.once('close', () => this.#sockets.delete(socket))
  }
}

function queriesOn(connection: pg.Pool | pg.PoolClient): Queries {
  return {
    async query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
      const { rows } = await connection.query({ name: nameOf(text), text, values: [...values] })
      return rows as Row[]
    },
    async run(text) {
      await connection.query(text)
    },
  }
}

/** Names of prepared statements by their text. */
const names = new Map<string, string>()

function nameOf(text: string): string {
  const known = names.get(text)
  if (known) return known
  const name = `signalbox_${names.size + 1}`
  names.set(text, name)
  return name
}

function configOf(url: string, options: PoolOptions, stream: () => Socket): pg.ClientConfig {
  const { statementTimeoutMs, planEachTime, durability, pipeline = false } = options
  const parameters = [
    // JIT compilation takes longer than any of these statements runs.
    '-c jit=off',
    ...(planEachTime ? ['-c plan_cache_mode=force_custom_plan'] : []),
    ...(durability === 'full' ? ['-c synchronous_commit=on'] : []),
  ]
  return {
    connectionString: url,
    application_name: 'signalbox',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    pipeline,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs && statementTimeoutMs + CANCEL_MS,
    options: parameters.join(' '),
    types: { getTypeParser },
    stream,
  }
}

const { INT8 } = pg.types.builtins

const getTypeParser: typeof pg.types.getTypeParser = ((oid: number, format?: 'text') =>
  oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser

/** The address of the database without its credentials. */
export function describeAddress(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  return `${hostname}${port ? `:${port}` : ''}${pathname}`
}
