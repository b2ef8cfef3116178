import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendBatch } from '../support/batch.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

const repo = { owner: 'octo-org', name: 'hello-world' }
const pull = { ...repo, prNumber: 20 }
const from = ($from: string, path: string) => ({ $from, path })
const list = { id: 'list', capability: 'issue.list', input: repo }
const gone = { id: 'gone', capability: 'repo.view', input: { ...repo, name: 'nowhere' } }
const threads = {
  id: 'threads',
  capability: 'pr.threads.list',
  input: { ...pull, first: 100 },
}
const answerThreads = {
  id: 'reply',
  capability: 'pr.threads.reply',
  for_each: from('threads', 'data.items'),
  input: { threadId: { $item: 'id' }, body: 'Fixed.' },
}
const resolveThreads = {
  id: 'resolve',
  capability: 'pr.threads.resolve',
  needs: ['reply'],
  for_each: from('threads', 'data.items'),
  input: { threadId: { $item: 'id' } },
}
const create = (title: unknown, more = {}) => ({
  capability: 'issue.create',
  input: { ...repo, title },
  ...more,
})

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
beforeEach(() => gateway.sandbox.reset())
afterAll(() => gateway[Symbol.asyncDispose]())

const send = (calls: unknown, body = {}, options = {}) =>
  sendBatch(gateway, { calls, ...body }, options)
const sent = () => gateway.sandbox.log.rows()
const applied = () => sent().filter(row => row.applied).length

async function addThreads(count: number): Promise<void> {
  const comments = Array.from({ length: count }, (_, index) => ({
    path: 'src/index.ts',
    line: 1,
    body: `Remark ${index}`,
  }))
  const { body: files } = await gateway.call('pr.diff.files', pull)
  const path = files.data.items[0].filename ?? files.data.items[0].path
  const { body } = await gateway.call('pr.reviews.submit', {
    ...pull,
    event: 'COMMENT',
    body: 'Look.',
    comments: comments.map(comment => ({ ...comment, path })),
  })
  expect(body.error).toBeNull()
}

describe('later calls use earlier results', () => {
  test('anywhere in their input', async () => {
    const { body, results } = await send([
      list,
      {
        id: 'view',
        capability: 'issue.view',
        input: { ...repo, issueNumber: from('list', 'data.items[0].number') },
      },
      create(from('view', "join(' ', ['Copy of', data.title])"), { id: 'copy' }),
      {
        capability: 'issue.labels.add',
        input: {
          ...repo,
          issueNumber: from('copy', 'data.number'),
          labels: [from('list', 'data.items[].labels[] | [0]')],
        },
      },
    ])
    expect(body.data).toMatchObject({ status: 'success', total: 4 })
    const [first, view] = results.map(({ envelope }) => envelope.data)
    expect(view.number).toBe(first.items[0].number)
    const { number } = results[2]?.envelope.data ?? {}
    const { body: made } = await gateway.call('issue.view', { ...repo, issueNumber: number })
    expect(made.data.title).toBe(`Copy of ${view.title}`)
  })

  test('whatever fields, budget and dialect the earlier call has', async () => {
    const { results } = await send([
      { ...list, fields: 'items.title', profile: 'compact', token_budget: 200 },
      {
        capability: 'issue.view',
        input: { ...repo, issueNumber: from('list', 'data.items[-1].number') },
      },
    ])
    expect(JSON.stringify(results[0]?.envelope)).not.toContain('"number"')
    expect(results[1]?.ok).toBe(true)
  })

  test('a whole input, and data of a caller that only looks like a reference', async () => {
    const { results } = await send([
      { id: 'first', capability: 'repo.view', input: repo },
      {
        capability: 'repo.view',
        input: from('first', `data.{owner: \`"${repo.owner}"\`, name: name}`),
      },
      {
        capability: 'graphql.query',
        input: {
          query:
            'query ($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { id } }',
          variables: { $literal: { ...repo, $from: 'a variable', $item: 1 } },
        },
      },
    ])
    expect(results[1]?.envelope.data).toEqual(results[0]?.envelope.data)
    expect(results[2]?.envelope.data.data.repository.id).toBe(results[0]?.envelope.data.id)
  })
})

describe('a faulty reference is refused before anything is sent', () => {
  const view = (value: unknown) => ({
    capability: 'issue.view',
    input: { ...repo, issueNumber: value },
  })
  test.each<[string, unknown[], string, RegExp]>([
    ['an unknown call', [list, view(from('lst', 'x'))], 'calls.1.input', /"lst".*"list"/],
    ['a later call', [view(from('list', 'x')), list], 'calls.0.input', /no earlier call/],
    ['itself', [{ ...view(from('me', 'x')), id: 'me' }], 'calls.0.input', /no earlier call/],
    ['an unknown need', [{ ...list, needs: ['x'] }], 'calls.0.needs.0', /no earlier call/],
    [
      'an unknown list',
      [{ ...list, for_each: { $from: 'x' } }],
      'calls.0.for_each.$from',
      /no earlier call/,
    ],
    [
      'a broken path',
      [list, view(from('list', 'data['))],
      'calls.1.input.issueNumber.path',
      /does not compile/,
    ],
    [
      'an inherited member',
      [list, view(from('list', 'constructor'))],
      'calls.1.input.issueNumber.path',
      /constructor/,
    ],
    [
      'a further member',
      [list, view({ ...from('list', 'x'), or: 1 })],
      'calls.1.input.issueNumber.or',
      /\$literal/,
    ],
    ['an id that is no text', [view({ $from: 7 })], 'calls.0.input.issueNumber.$from', /id of/],
    ['an item without a list', [view({ $item: '@' })], 'calls.0.input', /without for_each/],
  ])('%s', async (_name, calls, path, message) => {
    const { status, body } = await send(calls)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'VALIDATION', details: { fields: [{ path }] } })
    expect(body.error.details.fields[0].message).toMatch(message)
    expect(sent()).toEqual([])
  })
})

describe('a call for each item', () => {
  test('answers and resolves all threads of a pull request with one batch', async () => {
    await addThreads(5)
    const { body, results } = await send([threads, answerThreads, resolveThreads])
    const count = results[0]?.envelope.data.items.length
    expect(count).toBeGreaterThanOrEqual(5)
    expect(body.data).toMatchObject({ status: 'success', total: 1 + 2 * count })
    const replies = body.data.results.filter(({ id }: { id: string }) => id === 'reply')
    expect(replies.map(({ item }: { item: number }) => item)).toEqual([
      ...Array.from({ length: count }).keys(),
    ])
    const { body: left } = await gateway.call('pr.threads.list', pull)
    expect(left.data.items).toEqual([])
  })

  test('makes each change once, also when the batch is repeated and the list has changed', async () => {
    await addThreads(3)
    const keyed = { ...answerThreads, idempotency_key: 'answers' }
    const first = await send([threads, keyed])
    const changes = applied()
    const open = first.results[0]?.envelope.data.items
    await gateway.call('pr.threads.resolve', { threadId: open[0].id })
    const again = await send([threads, keyed])
    expect(again.results).toHaveLength(first.results.length - 1)
    for (const { envelope } of again.results.slice(1)) {
      expect(envelope.meta.reason).toBe('IDEMPOTENT_REPLAY')
    }
    expect(applied()).toBe(changes + 1)
  })

  test('sends equal items of one batch once each', async () => {
    const calls = [
      list,
      { ...create('Twin', { idempotency_key: 'twins' }), for_each: from('list', 'data.items[:2]') },
    ]
    const { results } = await send(calls)
    const numbers = results.slice(1).map(({ envelope }) => envelope.data.number)
    expect(new Set(numbers).size).toBe(2)
    const again = await send(calls)
    expect(again.results.slice(1).map(({ envelope }) => envelope.data.number)).toEqual(numbers)
  })

  test('reads that prefer GraphQL share a request in each wave', async () => {
    const comments = {
      capability: 'pr.threads.comments.list',
      for_each: from('threads', 'data.items'),
      input: { threadId: { $item: 'id' } },
    }
    await addThreads(3)
    gateway.sandbox.log.clear()
    const { body } = await send([threads, comments])
    expect(body.data.status).toBe('success')
    expect(sent().filter(({ route }) => route === 'graphql')).toHaveLength(2)
  })

  test('an empty list makes no call', async () => {
    const { body } = await send([list, { ...create('Never'), for_each: from('list', '`[]`') }])
    expect(body.data).toMatchObject({ status: 'success', total: 1 })
    expect(applied()).toBe(0)
  })

  test.each([
    ['nothing', 'data.nothing', /selects nothing/],
    ['no list', 'data.items[0]', /selects no list/],
    ['too many items', `\`[${Array.from({ length: 50 }).fill(0).join()}]\``, /51 calls/],
  ])('%s is VALIDATION in its envelope, and makes no call', async (_name, path, message) => {
    const { results } = await send([list, { ...create('Never'), for_each: from('list', path) }])
    expect(results).toHaveLength(2)
    expect(results[1]?.envelope.error).toMatchObject({
      code: 'VALIDATION',
      details: { fields: [{ path: 'calls.1.for_each' }] },
    })
    expect(results[1]?.envelope.error.message).toMatch(message)
    expect(applied()).toBe(0)
  })
})

describe('a failure', () => {
  test('ends what needs the call, and says which call it was', async () => {
    const { body, results } = await send([
      gone,
      create('By need', { needs: ['gone'], id: 'second' }),
      create(from('second', 'data.title'), { id: 'third' }),
      create('Independent'),
    ])
    expect(body.data).toMatchObject({ status: 'partial', succeeded: 1, failed: 3 })
    expect(results[1]).toMatchObject({
      http_status: 424,
      envelope: {
        error: {
          code: 'CONFLICT',
          retryable: false,
          write_outcome: 'not_applied',
          next: { action: 'fix_input', fields: ['needs'] },
          details: { need: 'gone', need_code: 'NOT_FOUND' },
        },
      },
    })
    expect(results[2]?.envelope.error.details.need).toBe('second')
    expect(applied()).toBe(1)
  })

  test('stops all later calls with stop_on_error', async () => {
    const missing = { capability: 'issue.close', input: { ...repo, issueNumber: 9999 } }
    const { results } = await send([create('Before'), missing, create('After')], {
      stop_on_error: true,
    })
    expect(results.map(({ http_status }) => http_status)).toEqual([200, 404, 424])
    expect(applied()).toBe(1)
  })

  test.each([
    ['a read that fails', { ...gone }],
    ['a call that is faulty in itself', { id: 'gone', capability: 'repo.view', input: {} }],
    ['a call of no capability', { id: 'gone', capability: 'repo.veiw', input: repo }],
    ['a call that cannot be read', { id: 'gone', capability: 'repo.view', colour: 'red' }],
  ])('of %s lets no later change begin with stop_on_error', async (_what, faulty) => {
    const { results } = await send([list, faulty, create('Never')], { stop_on_error: true })
    expect(results.map(({ ok }) => ok)).toEqual([true, false, false])
    expect(results[2]?.http_status).toBe(424)
    expect(applied()).toBe(0)
  })

  test('leaves changes beside reads without stop_on_error', async () => {
    const { results } = await send([gone, create('Beside')])
    expect(results.map(({ ok }) => ok)).toEqual([false, true])
  })

  test('of a value that selects nothing names its source', async () => {
    const { results } = await send([
      list,
      {
        capability: 'issue.view',
        input: { ...repo, issueNumber: from('list', 'data.nothing') },
      },
    ])
    const { error } = results[1]?.envelope ?? {}
    expect(error).toMatchObject({ code: 'VALIDATION', next: { fields: ['issueNumber'] } })
    expect(error.message).toContain('"issueNumber" comes from call "list", data.nothing.')
  })
})

test('changes keep the given order, also when an earlier one waits for a read', async () => {
  const { results } = await send([
    list,
    create(from('list', "join('', ['First of ', to_string(length(data.items))])")),
    create('Second'),
  ])
  const [, first, second] = results.map(({ envelope }) => envelope.data?.number)
  expect(second).toBeGreaterThan(first)
})

test('every call is recorded with the id of the batch, its step and its item', async () => {
  const { body } = await send([
    list,
    {
      capability: 'issue.view',
      for_each: from('list', 'data.items[:2]'),
      input: { ...repo, issueNumber: { $item: 'number' } },
    },
  ])
  const results = body.data.results as { request_id: string }[]
  expect(new Set(results.map(({ request_id }) => request_id)).size).toBe(3)
  for (const { request_id } of results) {
    const { body: record } = await gateway.get(`/v1/requests/${request_id}`)
    expect(record.data.meta.batch_id).toBe(body.meta.request_id)
  }
  const { body: page } = await gateway.get(`/v1/requests?batch_id=${body.meta.request_id}`)
  const places = page.data.items.map((row: Record<string, unknown>) => [
    row.batch_step,
    row.batch_item,
  ])
  expect(places).toHaveLength(3)
  expect(places).toEqual(
    expect.arrayContaining([
      ['list', null],
      ['calls[1]', 0],
      ['calls[1]', 1],
    ]),
  )
})
