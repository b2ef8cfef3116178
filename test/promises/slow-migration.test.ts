import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { applyMigrations } from '../../src/journal/postgres/schema.ts'
import { doctor, goodSetup } from '../commands/support/doctor.ts'
import { postgres } from '../support/parts.ts'
import { startPostgres } from '../support/postgres.ts'

// Servers and whole processes are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

/** The version of the schema that has no index of texts. */
const BEFORE_TEXTS = 11

test.runIf(postgres.available).each([
  ['a statement of', 5, 1],
  ['the whole of', 0, 1_000_000],
])(
  'in PostgreSQL is no failure when %s its migration takes longer than doctor waits',
  async (_, seconds, rows) => {
    const { env } = await goodSetup()
    const server = await startPostgres()
    onTestFinished(() => server.remove())
    const own = { ...env, SIGNALBOX_JOURNAL: await server.createDatabase() }
    const client = new pg.Client(own.SIGNALBOX_JOURNAL)
    await client.connect()
    onTestFinished(() => client.end())
    const tx = {
      query: async <Row>(text: string, values: readonly unknown[] = []) =>
        (await client.query(text, [...values])).rows as Row[],
      run: async (text: string) => void (await client.query(text)),
    }
    await applyMigrations(tx, () => {}, BEFORE_TEXTS)
    // The next migration indexes texts, here on a server that is as slow as with a large journal.
    await client.query(`
      INSERT INTO request_details (key, error) SELECT n, '{"message": "some words of request ' || n || '"}' FROM generate_series(1, ${rows}) AS n;
      CREATE FUNCTION slow_statement() RETURNS event_trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_sleep(${seconds}); END $$;
      CREATE EVENT TRIGGER slow_statement ON ddl_command_start WHEN TAG IN ('CREATE INDEX')
        EXECUTE FUNCTION slow_statement();`)
    const { code, of } = await doctor(own)
    expect(of('journal')).toMatch(
      /^warn .* has schema \d+; the next start updates it .* takes longer/,
    )
    expect(code).toBe(0)
    const found = await client.query("SELECT to_regclass('request_texts') AS name")
    expect(found.rows).toEqual([{ name: null }])
  },
)
