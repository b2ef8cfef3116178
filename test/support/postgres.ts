import { execFile } from 'node:child_process'
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './free-port.ts'

const run = promisify(execFile)
/** PostgreSQL refuses to run as root, so it runs as the user nobody. */
const NOBODY = 65534
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

/** A PostgreSQL server for one test file, which can stop and start it. */
export interface TestPostgres {
  /** Creates an empty database and returns its address. */
  createDatabase(): Promise<string>
  /** Turns TLS on with a self-signed certificate, and returns the file of its authority. */
  enableTls(): Promise<string>
  /** Closes all connections from gateways to a database. */
  cutConnections(url: string): Promise<void>
  stop(): Promise<void>
  start(): Promise<void>
  /** Stops it and removes its files. */
  remove(): Promise<void>
}

/** Finds the directory of PostgreSQL's server programs, which distributions keep off the PATH. */
export function findPostgres(): string | null {
  const packaged = '/usr/lib/postgresql'
  const versions = existsSync(packaged) ? readdirSync(packaged).toSorted().toReversed() : []
  const candidates = [
    ...versions.map(version => join(packaged, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  const complete = (path: string) =>
    ['initdb', 'pg_ctl'].every(program => existsSync(join(path, program)))
  return candidates.find(complete) ?? null
}

export async function startPostgres(): Promise<TestPostgres> {
  const programs = findPostgres()
  if (!programs) throw new Error('PostgreSQL is not installed here')
  const directory = mkdtempSync(join(tmpdir(), 'signalbox-postgres-'))
  if (identity.uid) chownSync(directory, identity.uid, identity.gid)
  const data = join(directory, 'data')
  const port = await freePort()
  const call = (program: string, args: string[]) => {
    const own = join(programs, program)
    return run(existsSync(own) ? own : program, args, { ...identity, cwd: directory })
  }
  await call('initdb', [
    '-D',
    data,
    '-U',
    'postgres',
    '--auth=trust',
    '--no-sync',
    '--no-instructions',
    '-E',
    'UTF8',
    '--locale=C',
  ])
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -k ${directory} -c fsync=off -c synchronous_commit=off -c full_page_writes=off`
  const start = async () => {
    const log = join(directory, 'log')
    await call('pg_ctl', ['-D', data, '-w', '-t', '120', '-l', log, '-o', settings, 'start'])
  }
  const stop = async (mode: 'fast' | 'immediate' = 'fast') => {
    await call('pg_ctl', ['-D', data, '-m', mode, '-w', 'stop'])
  }
  await start()
  let databases = 0
  return {
    start,
    stop: () => stop(),
    async createDatabase() {
      const name = `test_${++databases}`
      const url = `postgres://postgres@127.0.0.1:${port}`
      await query(url, `CREATE DATABASE ${name} TEMPLATE template0`)
      return `${url}/${name}`
    },
    async enableTls() {
      const [certificate, key] = [join(data, 'server.crt'), join(data, 'server.key')]
      const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
      const files = ['-out', certificate, '-keyout', key]
      await call('openssl', ['req', '-new', '-x509', '-nodes', ...subject, ...files])
      appendFileSync(join(data, 'postgresql.conf'), '\nssl = on\n')
      await stop()
      await start()
      return certificate
    },
    async cutConnections(url) {
      await query(
        url,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'signalbox'`,
      )
    },
    async remove() {
      await stop('immediate').catch(() => {})
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(text)
  await client.end()
}
