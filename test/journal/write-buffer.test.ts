import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { WriteBuffer } from '../../src/journal/write-buffer.ts'
import type { Refusal } from '../../src/journal/write-buffer-options.ts'
import type { Clock } from '../../src/lib/clock.ts'

interface Item {
  readonly name: string
  readonly bytes: number
  readonly expendable: boolean
}

const item = (name: string, expendable = true): Item => ({ name, bytes: 10, expendable })

describe('while the database can be written', () => {
  test('rows that arrive in one turn of the event loop are one transaction', async () => {
    const { buffer, batches } = createBuffer()

    await Promise.all([buffer.append(item('a')), buffer.append(item('b'))])
    await buffer.append(item('c'))

    expect(batches).toEqual(['a b', 'c'])
  })

  test('a transaction waits for an announced row, to write it together with earlier ones', async () => {
    const { buffer, batches } = createBuffer({ gatherMs: 60_000 })

    const comes = buffer.announce()
    const first = buffer.append(item('a'))
    for (let turn = 0; turn < 5; turn++) await nextTurn()
    expect(batches).toEqual([])
    comes()
    await Promise.all([first, buffer.append(item('b'))])

    expect(batches).toEqual(['a b'])
  })

  test('a transaction waits only briefly for an announced row that does not come', async () => {
    const { buffer, batches } = createBuffer()

    buffer.announce()
    await buffer.append(item('a'))

    expect(batches).toEqual(['a'])
  })

  test('an append waits for its transaction', async () => {
    const { buffer, written } = createBuffer()

    const appended = buffer.append(item('a'))
    expect(written()).toBe('')

    await appended
    expect(written()).toBe('a')
  })

  test('intents are written before records', async () => {
    const { buffer, batches } = createBuffer()

    await Promise.all([buffer.append(item('record')), buffer.intend(item('intent'))])

    expect(batches).toEqual(['intent record'])
  })

  test('a refused record is dropped, a refused intent rejects, and the others are written', async () => {
    const { buffer, errors, written } = createBuffer({ refuse: ['bad', 'worse'] })

    const intent = buffer.intend(item('worse'))
    await Promise.all([
      expect(intent).rejects.toThrow('refused worse'),
      buffer.append(item('bad')),
      buffer.append(item('good')),
    ])

    expect(written()).toBe('good')
    expect(buffer.health()).toEqual({ ok: true, message: null, waiting: 0, dropped: 1 })
    expect(errors).toHaveLength(2)
  })
})

test('a record of an earlier gateway that is refused is dropped, and one that cannot be written rejects', async () => {
  const { buffer, database, written } = createBuffer({ refuse: ['bad'] })

  await Promise.all([buffer.restore(item('bad')), buffer.restore(item('good'))])
  expect(written()).toBe('good')
  expect(buffer.health()).toMatchObject({ ok: true, dropped: 1 })

  database.failures = Infinity
  await expect(buffer.restore(item('later'))).rejects.toThrow('disk full')
})

describe('while the database cannot be written', () => {
  test('a short failure only makes callers wait', async () => {
    const { buffer, database, written, errors } = createBuffer()
    database.failures = 3

    await buffer.append(item('a'))

    expect(written()).toBe('a')
    expect(errors).toEqual([])
  })

  test('callers wait only briefly, and the rows are written later', async () => {
    const { buffer, database, written, errors } = createBuffer()
    database.failures = Infinity

    await buffer.append(item('a'))
    await buffer.append(item('b'))
    expect(buffer.health()).toEqual({
      ok: false,
      message: 'the journal cannot be written: disk full',
      waiting: 2,
      dropped: 0,
    })
    expect(errors).toHaveLength(1)

    database.failures = 0
    await until(() => buffer.health().ok)
    expect(written()).toBe('a b')
  })

  test('intents are rejected with the cause', async () => {
    const { buffer, database } = createBuffer()
    database.failures = Infinity

    await expect(buffer.intend(item('a'))).rejects.toThrow('disk full')
  })

  test('a full buffer drops the oldest plain successes, and counts them', async () => {
    const { buffer, database, written } = createBuffer({ maxBytes: 100 })
    database.failures = Infinity
    await buffer.append(item('failure', false))
    for (let n = 1; n <= 10; n++) await buffer.append(item(`${n}`))
    expect(buffer.health()).toMatchObject({ ok: false, dropped: 2 })

    database.failures = 0
    await until(() => buffer.health().ok)
    expect(written()).toBe('failure 3 4 5 6 7 8 9 10')
  })

  test('a buffer full of failures drops the oldest of them', async () => {
    const { buffer, database, written } = createBuffer({ maxBytes: 30 })
    database.failures = Infinity
    for (let n = 1; n <= 5; n++) await buffer.append(item(`${n}`, false))
    expect(buffer.health().dropped).toBe(2)

    database.failures = 0
    await until(() => buffer.health().ok)
    expect(written()).toBe('3 4 5')
  })

  test('a backlog is written in order, and no caller waits for it', async () => {
    const { buffer, database, written } = createBuffer()
    database.failures = Infinity
    for (let n = 0; n < 1000; n++) await buffer.append(item(`${n}`))
    database.failures = 0
    await until(() => written() !== '')

    await buffer.append(item('late'))
    expect(written()).not.toContain('late')

    await until(() => buffer.health().ok)
    expect(written()).toBe([...Array(1000).keys(), 'late'].join(' '))
  })
})

describe('closing', () => {
  test('writes what is left', async () => {
    const { buffer, written } = createBuffer()
    void buffer.append(item('a'))

    await buffer.close()

    expect(written()).toBe('a')
  })

  test('drops and counts what cannot be written', async () => {
    const { buffer, database } = createBuffer()
    database.failures = Infinity
    const appended = buffer.append(item('a'))

    await buffer.close()

    await appended
    expect(buffer.health()).toMatchObject({ ok: false, dropped: 1 })
  })

  test('is final: later records count as dropped, and later intents are rejected', async () => {
    const { buffer } = createBuffer()
    await buffer.close()

    await buffer.append(item('a'))

    expect(buffer.health().dropped).toBe(1)
    await expect(buffer.intend(item('b'))).rejects.toThrow('the journal is closed')
  })
})

/** A buffer in front of an in-memory database that fails on demand. Only sleeping moves its clock. */
function createBuffer({ maxBytes = 10_000_000, gatherMs = 1, refuse = [] as string[] } = {}) {
  const batches: string[] = []
  const errors: unknown[] = []
  const database = { failures: 0 }
  const buffer = new WriteBuffer<Item>({
    clock: sleepingClock(),
    maxBytes,
    gatherMs,
    onError: error => errors.push(error),
    write: batch => {
      if (database.failures-- > 0) throw new Error('disk full')
      const refused = batch.filter(({ name }) => refuse.includes(name))
      batches.push(
        batch
          .filter(entry => !refused.includes(entry))
          .map(({ name }) => name)
          .join(' '),
      )
      return refused.map((entry): Refusal<Item> => {
        return { entry, error: new Error(`refused ${entry.name}`) }
      })
    },
  })
  return { buffer, batches, errors, database, written: () => batches.join(' ') }
}

function sleepingClock(): Clock {
  let now = 0
  return {
    now: () => now,
    monotonic: () => now,
    sleep: async ms => {
      now += ms
      await nextTurn()
    },
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await nextTurn()
}
