import { expect, test, vi } from 'vitest'
import {
  AttemptListQuery,
  pagingMembers,
  RequestListQuery,
} from '../../routes/support/journal-list.ts'
import { FILTER_OPTIONS } from '../../src/commands/filter-options.ts'
import { FAILED, recordOf } from '../journal/records.ts'
import { openJournal, untilFiled } from '../journal/support.ts'
import { signalbox } from './support/signalbox.ts'

// The test starts a whole process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

test('requests refuses a PostgreSQL journal without printing its password', async () => {
  const env = { SIGNALBOX_JOURNAL: 'postgres://someone:open-sesame@127.0.0.1/journal' }
  const { code, stderr } = await signalbox(['requests'], env)
  expect(stderr).toBe(
    'signalbox: requests reads SQLite files only. For PostgreSQL, use GET /v1/requests of a gateway.\n',
  )
  expect(code).toBe(1)
})

test('requests and attempts have an option for each filter of their lists', () => {
  const valuesOf = (schema: object) => ('enum' in schema ? schema.enum : undefined)
  for (const [list, query] of Object.entries({
    requests: RequestListQuery,
    attempts: AttemptListQuery,
  })) {
    const filters = Object.entries(query.properties).filter(([name]) => !(name in pagingMembers))
    const options = FILTER_OPTIONS[list as 'requests' | 'attempts']
    expect(Object.keys(options).toSorted()).toEqual(filters.map(([name]) => name).toSorted())
    for (const [name, schema] of filters) {
      if (options[name]?.values)
        expect([name, options[name].values]).toEqual([name, valuesOf(schema)])
    }
  }
})

test('requests and attempts take the filters of their lists', async () => {
  const { journal, file } = openJournal()
  await journal.append(recordOf({ request_id: 'plain', time: 1000 }))
  await journal.append(
    recordOf({ request_id: 'failed', time: 2000, attempts: [FAILED], error: {} }),
  )
  await untilFiled(journal)
  const args = ['--journal', file, '--json', '--upstream-status', '5xx', '--ok', 'false']
  const requests = await signalbox(['requests', ...args, '--http-status', '502', '--q', 'upstream'])
  const attempts = await signalbox(['attempts', ...args, '--min-duration-ms', '20'])
  expect(JSON.parse(requests.stdout)).toMatchObject([{ request_id: 'failed' }])
  expect(JSON.parse(attempts.stdout)).toMatchObject([{ request_id: 'failed', status: 'error' }])
})

test.each([
  [['requests', '--q', ''], 'It must not be empty.'],
  [['attempts', '--limit', '0'], 'must be 1 or more'],
  [['requests', '--code', 'server'], 'Allowed choices are AUTH,'],
  [['attempts', '--code', 'NOPE'], 'Allowed choices are AUTH,'],
  [['requests', '--failed', '--ok', 'true'], "option '--failed' cannot be used with option '--ok"],
  [['requests', '--batch', 'a', '--batch-id', 'b'], "'--batch <id>' cannot be used with"],
])('%j is refused, as the endpoint refuses it', async (args, message) => {
  const { code, stderr } = await signalbox(args)
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
})

test('requests shows one request by its id in any case, and points to the search for other ids', async () => {
  const { journal, file } = openJournal()
  await journal.append(recordOf({ request_id: '01KB7Z5M3Q8V4T6W2X9Y0ABCDE', time: 1000 }))
  await untilFiled(journal)
  const one = ['requests', '01kb7z5m3q8v4t6w2x9y0abcde', '--journal', file]
  const found = await signalbox(one)
  expect(JSON.parse(found.stdout)).toMatchObject({ request_id: '01KB7Z5M3Q8V4T6W2X9Y0ABCDE' })
  const other = await signalbox(['requests', 'other', '--journal', file])
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('requests --q ID finds')])
  const filtered = await signalbox([...one, '--code', 'SERVER', '--failed'])
  expect([filtered.code, filtered.stdout]).toEqual([1, ''])
  expect(filtered.stderr).toContain('Leave out the filter code, ok.')
})
