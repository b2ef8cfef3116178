import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Capabilities } from '../../src/cards/capabilities.ts'
import { sendBatch } from '../support/batch.ts'
import { startTestGateway } from '../support/gateway.ts'
import { sendJson } from '../support/service.ts'
import { until } from '../support/until.ts'
import {
  isHit,
  type MemoryPlace,
  MINUTE,
  openMemoryPlace,
  removeStores,
  STORES,
} from './memory-place.ts'

afterAll(removeStores)

const passing = (token: string) => ({ 'x-upstream-authorization': `Bearer ${token}` })
const cacheControl = (value: string) => ({ 'cache-control': value })

describe.each(STORES)('in %s', (store, settings, isAvailable) => {
  describe.runIf(isAvailable)('answers', () => {
    let place: MemoryPlace
    beforeAll(async () => {
      place = await openMemoryPlace(await settings())
      // The first call compiles so much that a gateway waits for Redis in vain.
      await place.read('first of all')
    })
    afterAll(async () => await place[Symbol.asyncDispose]())

    const countOf = (name: string) =>
      place.service.lines().filter(line => line.endsWith(`/${name}`)).length
    const untilSent = (name: string) =>
      until(
        () => countOf(name),
        count => count === 1,
      )
    /** Holds the answers of reads until the returned function is called. */
    const holdReads = () => {
      const gate = Promise.withResolvers<void>()
      place.service.fault = {
        method: 'GET',
        respond: async response => {
          await gate.promise
          sendJson(response, { n: -1 })
        },
      }
      return gate.resolve
    }
    const failWith = (method: string, status: number) => {
      place.service.fault = { method, respond: answer => sendJson(answer, {}, status) }
    }

    test('come without a request to callers who allow it, with their age', async () => {
      const first = await place.read('hit')
      const second = await place.read('hit')
      expect(first.headers.get('age')).toBeNull()
      expect(first.body.meta).not.toHaveProperty('age_ms')
      expect(second.body.data).toEqual(first.body.data)
      expect(second.body.meta).toMatchObject({
        reason: 'CACHE_HIT',
        attempts: [],
        route_used: 'rest',
        warnings: [],
        age_ms: expect.any(Number),
      })
      expect(second.headers.get('age')).toBe('0')
      expect(second.headers.get('signalbox-attempts')).toBe('0')
      expect(countOf('hit')).toBe(1)
      const { items } = await place.gateway.engine.journal.requests({}, { limit: 2 })
      expect(items.map(({ reason }) => reason)).toEqual(['CACHE_HIT', 'CARD_PREFERRED'])
      const exported = await place.gateway.get(`/v1/requests/${second.body.meta.request_id}/export`)
      expect(exported.status).toBe(409)
    })

    test('are neither kept nor given without being asked for', async () => {
      await place.read('plain', { query: {} })
      expect(await place.remembers('plain')).toBe(false)
      await place.read('plain')
      expect(isHit(await place.read('plain', { query: {} }))).toBe(false)
      expect(countOf('plain')).toBe(3)
    })

    test('cost a call nothing that does not ask for them', async () => {
      const { keptAnswers } = place.gateway.engine.state
      const looks = vi.spyOn(keptAnswers, 'look')
      const keeps = vi.spyOn(keptAnswers, 'keep')
      await place.read('unasked', { query: {} })
      await place.read('unasked', { query: {}, headers: cacheControl('no-store') })
      await place.read('unasked', { query: {}, headers: cacheControl('no-transform') })
      expect([looks.mock.calls, keeps.mock.calls]).toEqual([[], []])
      await place.read('unasked')
      expect([looks.mock.calls.length, keeps.mock.calls.length]).toEqual([1, 1])
      vi.restoreAllMocks()
    })

    test.each([
      ['another capability', { id: 'part.list' }, {}],
      ['a pinned route', { query: { ...MINUTE, route: 'rest' } }, {}],
      ["a caller's own credential", { headers: passing('one') }, {}],
      ["the gateway's own credential", {}, { headers: passing('one') }],
      ["another caller's credential", { headers: passing('one') }, { headers: passing('two') }],
    ])('are not mixed up with those of %s', async (name, one, other) => {
      await place.read(name, one)
      expect(isHit(await place.read(name, one))).toBe(true)
      expect(isHit(await place.read(name, other))).toBe(false)
    })

    test('have their members chosen afterwards', async () => {
      await place.read('fields')
      const { body } = await place.read('fields', { query: { ...MINUTE, fields: 'n' } })
      expect(body.meta.reason).toBe('CACHE_HIT')
      expect(Object.keys(body.data)).toEqual(['n'])
    })

    test.each([
      ['max-age=60', 'hit'],
      ['max-age="60"', 'hit'],
      ['Max-Age=60, no-transform, x=y', 'hit'],
      ['max-age=0', 'asked'],
      ['max-age=60, min-fresh=60', 'asked'],
      ['max-stale', 'hit'],
      ['max-age=0, max-stale=60', 'hit'],
      ['stale-if-error=60', 'asked'],
      ['no-cache', 'asked'],
      ['no-cache, max-age=60', 'asked'],
      ['no-store', 'asked'],
      ['no-store, max-age=60', 'hit'],
      ['only-if-cached', 'hit'],
      ['only-if-cached, max-age=0', 'refused'],
      ['max-age=soon', 'invalid'],
      ['max-age', 'invalid'],
      ['stale-if-error=-1', 'invalid'],
    ])('heed Cache-Control: %s', async (value, expected) => {
      await place.read(value)
      const answer = await place.read(value, { query: {}, headers: cacheControl(value) })
      const count = { hit: 1, asked: 2, refused: 1, invalid: 1 }[expected]
      expect(countOf(encodeURIComponent(value))).toBe(count)
      expect(answer.status).toBe({ refused: 504, invalid: 400 }[expected] ?? 200)
      if (answer.status === 200) return
      expect(answer.body.error).toMatchObject({
        code: 'VALIDATION',
        retryable: false,
        next: { action: 'fix_input', fields: ['cache-control'] },
      })
    })

    test.each([
      ['no-store', {}, false],
      ['no-store, max-age=60', {}, false],
      ['no-cache', {}, true],
      ['no-store', MINUTE, false],
      ['', { stale_if_error_ms: '1000' }, true],
    ])('are kept as Cache-Control: %s with %j says', async (value, query, expected) => {
      const name = `keep ${value} ${JSON.stringify(query)}`
      await place.read(name, { query, headers: cacheControl(value) })
      expect(await place.remembers(name)).toBe(expected)
    })

    test('that are newer replace older ones', async () => {
      const { body } = await place.read('newer')
      const { body: newer } = await place.read('newer', { query: { max_age_ms: '0' } })
      const { body: kept } = await place.read('newer')
      expect(newer.data.n).toBeGreaterThan(body.data.n)
      expect(kept).toMatchObject({ data: newer.data, meta: { reason: 'CACHE_HIT' } })
    })

    test('are not given to a key that may not call the capability', async () => {
      await using closed = await openMemoryPlace({
        ...(await settings()),
        keys: [
          { name: 'one', secret: 'one-secret-of-16-chars' },
          { name: 'two', secret: 'two-secret-of-16-chars', deny: ['part.*'] },
        ],
      })
      const as = (key: string) => ({
        headers: { authorization: `Bearer ${key}-secret-of-16-chars` },
      })
      await closed.read('x', as('one'))
      expect(isHit(await closed.read('x', as('one')))).toBe(true)
      const { status, body } = await closed.read('x', as('two'))
      expect([status, body.error.code]).toEqual([403, 'FORBIDDEN'])
    })

    test('are not given for a read that a person has to approve', async () => {
      await using closed = await openMemoryPlace({
        ...(await settings()),
        keys: [
          { name: 'one', secret: 'one-secret-of-16-chars' },
          { name: 'two', secret: 'two-secret-of-16-chars', approve: ['part.*'] },
        ],
      })
      const as = (key: string, more = {}) => ({
        headers: { authorization: `Bearer ${key}-secret-of-16-chars`, ...more },
      })
      await closed.read('x', as('one'))
      expect(isHit(await closed.read('x', as('one')))).toBe(true)
      const { body } = await closed.read('x', as('two'))
      expect(body.error.code).toBe('APPROVAL_REQUIRED')
      const only = await closed.read('x', as('two', cacheControl('only-if-cached')))
      expect(only.status).toBe(504)
      const explained = await closed.gateway.call(
        'part.view/explain',
        { name: 'x' },
        { query: MINUTE, ...as('two') },
      )
      expect(explained.body.data).not.toHaveProperty('memory')
    })

    test('say their age and that they are stale in the dialects that have a place for it', async () => {
      await place.read('dialects')
      failWith('GET', 503)
      const stale = { max_age_ms: '0', stale_if_error_ms: '60000', timeout_ms: '2000' }
      const render = async (profile: string, query: Record<string, string>) => {
        const answer = await place.read('dialects', { query: { ...query, profile } })
        expect(answer.headers.get('age')).toMatch(/^\d+$/)
        return answer.body as unknown
      }
      const age_ms = expect.any(Number)
      const fresh = await render('compact', MINUTE)
      const old = await render('compact', stale)
      expect(fresh).toEqual({ ok: true, data: expect.anything(), age_ms })
      expect(old).toEqual({ ok: true, data: expect.anything(), age_ms, stale: true })
      expect(await render('ghx', MINUTE)).toMatchObject({ meta: { reason: 'CACHE_HIT' } })
      expect(await render('ghx', stale)).toMatchObject({
        meta: { reason: 'CACHE_HIT', attempts: [{ status: 'error' }, {}, {}] },
      })
      const message = expect.stringMatching(/^Every route failed; .* \d+ s old\.$/)
      expect(await render('budgeted', stale)).toMatchObject({ warnings: [message] })
      expect(await render('dotbot', stale)).toMatchObject({
        status: 'warning',
        warnings: [{ code: 'STALE_ANSWER', message }],
      })
      place.service.fault = null
    })

    test.each([
      ['fails', 502, 'stale'],
      ['is overloaded', 503, 'stale'],
      ['limits the rate', 429, 'stale'],
      ['refuses the credential', 401, 'AUTH'],
      ['forbids', 403, 'FORBIDDEN'],
      ['finds nothing', 404, 'NOT_FOUND'],
      ['refuses the input', 422, 'VALIDATION'],
    ])('that are older come if the service %s: %i', async (name, status, expected) => {
      const { body: before } = await place.read(name)
      failWith('GET', status)
      const query = { max_age_ms: '0', stale_if_error_ms: '60000', timeout_ms: '2000' }
      const { body, headers } = await place.read(name, { query })
      const { body: unasked } = await place.read(name, { query: { timeout_ms: '2000' } })
      place.service.fault = null
      expect(unasked.ok).toBe(false)
      if (expected !== 'stale') return expect(body.error.code).toBe(expected)
      expect(body).toMatchObject({
        ok: true,
        data: before.data,
        meta: {
          reason: 'CACHE_HIT',
          warnings: [{ code: 'STALE_ANSWER', details: { age_ms: expect.any(Number) } }],
        },
      })
      expect(body.meta.attempts[0]).toMatchObject({ status: 'error', upstream_status: status })
      expect(body.meta.age_ms).toBeGreaterThanOrEqual(0)
      expect(headers.get('age')).toMatch(/^\d+$/)
    })

    test('that are older come if the service does not answer in time', async () => {
      const { body: before } = await place.read('hangs')
      place.service.fault = { method: 'GET', respond: () => {} }
      const query = { stale_if_error_ms: '60000', timeout_ms: '300' }
      const { body } = await place.read('hangs', { query })
      place.service.fault = null
      expect(body).toMatchObject({ ok: true, data: before.data })
      expect(body.meta.attempts).toMatchObject([{ error_code: 'TIMEOUT' }])
      expect(body.meta.duration_ms).toBeLessThan(1500)
    })

    test('that are too old do not come', async () => {
      await place.read('too old')
      await new Promise(resolve => setTimeout(resolve, 60))
      failWith('GET', 404 + 99)
      const query = { max_age_ms: '20', stale_if_error_ms: '20', timeout_ms: '1000' }
      const { body } = await place.read('too old', { query })
      place.service.fault = null
      expect(body.error.code).toBe('SERVER')
    })

    test.each([
      ['any.change', [false, false, false]],
      ['any.replace', [false, false, false]],
      ['part.change', [false, false, true]],
      ['tool.change', [true, true, false]],
      ['log.append', [true, true, true]],
    ])('are dropped by %s if it touches them', async (change, expected) => {
      const reads = ['part.view', 'part.list', 'tool.view']
      for (const id of reads) await place.read(change, { id })
      await place.read(change, { headers: passing('other') })
      expect((await place.change(change)).status).toBe(200)
      const left = await Promise.all(reads.map(id => place.remembers(change, id)))
      expect(left).toEqual(expected)
      const others = await place.read(change, { headers: passing('other') })
      expect(isHit(others)).toBe(expected[0])
      await place.read(change)
      expect(await place.remembers(change)).toBe(true)
    })

    test('stay if a change was refused', async () => {
      await place.read('refused')
      failWith('POST', 422)
      expect((await place.change('any.change')).body.error.write_outcome).toBe('not_applied')
      place.service.fault = null
      expect(await place.remembers('refused')).toBe(true)
    })

    test('that were on their way when a change ended are not kept', async () => {
      const answer = holdReads()
      const reading = place.read('on its way')
      await untilSent('on%20its%20way')
      await place.change('any.change')
      answer()
      expect((await reading).body.data.n).toBe(-1)
      place.service.fault = null
      expect(await place.remembers('on its way')).toBe(false)
    })

    test('that a call shared with an earlier one are not kept', async () => {
      const answer = holdReads()
      const first = place.read('shared', { query: {} })
      await untilSent('shared')
      const second = place.read('shared')
      await new Promise(resolve => setTimeout(resolve, 100))
      answer()
      expect((await first).body.ok).toBe(true)
      expect((await second).body.meta.reason).toBe('COALESCED')
      place.service.fault = null
      expect(await place.remembers('shared')).toBe(false)
    })

    test('with a warning are not kept', async () => {
      place.service.fault = {
        method: 'GET',
        respond: response => {
          response.setHeader('warning', '110 - "stale"')
          sendJson(response, { n: 0 })
        },
      }
      const { body } = await place.read('warned')
      place.service.fault = null
      expect(body.meta.warnings).toMatchObject([{ code: 'STALE_ANSWER' }])
      expect(await place.remembers('warned')).toBe(false)
    })

    test('keep every digit', async () => {
      place.service.fault = {
        method: 'GET',
        respond: response => {
          response.setHeader('content-type', 'application/json')
          response.end('{"n": 12345678901234567890}')
        },
      }
      await place.read('digits')
      place.service.fault = null
      const { url } = place.gateway
      const response = await fetch(`${url}/v1/capabilities/part.view?max_age_ms=60000`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'digits' }),
      })
      const text = await response.text()
      expect(text).toContain('CACHE_HIT')
      expect(text).toContain('"n":12345678901234567890')
    })

    test('are told by explain, which sends nothing', async () => {
      const explain = async (name: string, query: Record<string, string>) =>
        (await place.gateway.call('part.view/explain', { name }, { query })).body.data.memory
      await place.read('told')
      const count = place.service.received.length
      const age_ms = expect.any(Number)
      expect(await explain('told', MINUTE)).toEqual({ answers: 'yes', age_ms })
      const stale = { stale_if_error_ms: '60000' }
      expect(await explain('told', stale)).toEqual({ answers: 'if_routes_fail', age_ms })
      expect(await explain('told', { max_age_ms: '0' })).toEqual({ answers: 'no', age_ms })
      expect(await explain('never read', MINUTE)).toEqual({ answers: 'no', age_ms: null })
      expect(await explain('told', {})).toBeUndefined()
      expect(place.service.received).toHaveLength(count)
    })

    test('only-if-cached sends no change', async () => {
      const count = place.service.received.length
      const headers = cacheControl('only-if-cached')
      const { status, body } = await place.change('any.change', { headers })
      expect([status, body.error.write_outcome]).toEqual([504, 'not_applied'])
      expect(place.service.received).toHaveLength(count)
    })

    test('come to the calls of a batch by the header of the batch', async () => {
      await place.read('batch')
      const call = { capability: 'part.view', input: { name: 'batch' } }
      const { results } = await sendBatch(
        place.gateway,
        { calls: [call, { ...call, max_age_ms: 0 }] },
        { headers: cacheControl('max-age=60') },
      )
      const reasons = results.map(({ envelope }) => envelope.meta.reason)
      expect(reasons).toEqual(['CACHE_HIT', 'CARD_PREFERRED'])
    })

    test('are counted', async () => {
      await place.read('counted', { id: 'tool.view' })
      await place.read('counted', { id: 'tool.view' })
      const text = await (await fetch(`${place.gateway.url}/metrics`)).text()
      const counter =
        /^signalbox_answers_from_memory_total\{capability="tool.view",kind="fresh"\} [1-9]/m
      expect(counter.test(text)).toBe(true)
      expect(/^signalbox_kept_answers_bytes [1-9]/m.test(text)).toBe(store === 'memory')
    })

    test('of a card that has changed since are not given', async () => {
      await place.read('reloaded')
      const file = join(place.pack, 'part.view.yaml')
      await writeFile(file, (await readFile(file, 'utf8')).replace('Test.', 'Test again.'))
      expect(await place.remembers('reloaded')).toBe(true)
      await (place.gateway.engine as unknown as Pick<Capabilities, 'reload'>).reload()
      expect(await place.remembers('reloaded')).toBe(false)
    })
  })

  test.runIf(isAvailable)('a change in doubt keeps answers out for a while', async () => {
    await using place = await openMemoryPlace(await settings())
    await place.read('x')
    place.service.fault = { method: 'POST', respond: response => void response.destroy() }
    const { body } = await place.change('any.change')
    expect(body.error.write_outcome).toBe('unknown')
    place.service.fault = null
    expect(await place.remembers('x')).toBe(false)
    await place.read('x')
    expect(await place.remembers('x')).toBe(false)
  })

  test.runIf(isAvailable)('all answers together have a bound', async () => {
    const most = 20_000
    await using place = await openMemoryPlace({
      ...(await settings()),
      kept_answers_max_bytes: most,
    })
    const text = 'x'.repeat(2_000)
    place.service.fault = { method: 'GET', respond: answer => sendJson(answer, { n: 0, text }) }
    const names = Array.from({ length: 20 }, (_, n) => `part ${n}`)
    for (const name of names) await place.read(name)
    await place.read('part 0')
    const kept = await Promise.all(names.map(name => place.remembers(name)))
    const count = kept.filter(Boolean).length
    expect(count).toBeLessThanOrEqual(most / 2_000)
    expect(count).toBeGreaterThan(most / 2_000 / 2)
    expect(kept.slice(1, 8)).not.toContain(true)
    expect(kept[0]).toBe(true)
    if (store === 'memory') {
      expect(place.gateway.engine.state.keptAnswers.own.bytes).toBeLessThanOrEqual(most)
    }
    place.service.fault = {
      method: 'GET',
      respond: answer => sendJson(answer, { n: 0, text: 'x'.repeat(most) }),
    }
    await place.read('too large')
    expect(await place.remembers('too large')).toBe(false)
    expect(await place.remembers('part 19')).toBe(true)
  })

  test.runIf(isAvailable)('a bound of 0 keeps none', async () => {
    await using place = await openMemoryPlace({ ...(await settings()), kept_answers_max_bytes: 0 })
    await place.read('x')
    expect(isHit(await place.read('x'))).toBe(false)
  })
})

test('an older answer names every route that failed, and no fallback', async () => {
  await using gateway = await startTestGateway()
  const issue = { owner: 'octo-org', name: 'hello-world', issueNumber: 1 }
  await gateway.call('issue.view', issue, { query: MINUTE })
  gateway.sandbox.faults.set([{ on: {}, do: { status: 502 }, times: 99 }])
  const query = { stale_if_error_ms: '60000', timeout_ms: '8000' }
  const { body } = await gateway.call('issue.view', issue, { query })
  const failed = body.meta.attempts.filter(({ status }) => status === 'error')
  expect(new Set(failed.map(({ route }) => route)).size).toBeGreaterThan(1)
  expect(body).toMatchObject({ ok: true, meta: { reason: 'CACHE_HIT' } })
  expect(body.meta.warnings.map(({ code }) => code)).toEqual(['STALE_ANSWER'])
})
