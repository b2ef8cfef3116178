import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Fault } from '../../sandbox/index.ts'
import { hello, repositoryIn } from '../parity/worlds.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

/** A release is created once, and the answer says truly which of its files it has. */

let gateway: TestGateway
beforeEach(async () => {
  gateway = await startTestGateway({ env: { PATH: '' }, settings: { retries: 1 } })
})
afterEach(() => gateway[Symbol.asyncDispose]())

const input = {
  ...hello,
  tagName: 'v9',
  draft: false,
  assets: [
    { name: 'a.txt', content: 'YQ==' },
    { name: 'b.txt', content: 'Yg==' },
  ],
}

/** Tag, draft and files of each release of v9. */
function made() {
  return repositoryIn(gateway.sandbox.store)
    .releases.filter(({ tagName }) => tagName === 'v9')
    .map(({ isDraft, assets }) => [isDraft, ...assets.map(({ name }) => name)])
}

const uploads = { method: 'POST', path: '/releases/\\d+/assets$' }
const step = (name: string, subject?: string) => ({
  code: 'STEP_NOT_DONE',
  details: { step: name, ...(subject && { subject }) },
})
const unconfirmed = (message: RegExp) => ({
  code: 'NOT_CONFIRMED',
  message: expect.stringMatching(message),
})

interface Row {
  readonly title: string
  readonly faults: readonly Fault[]
  readonly data: object
  readonly warnings: readonly object[]
  readonly leaves: readonly unknown[]
}

const rows: readonly Row[] = [
  {
    title: 'nothing fails',
    faults: [],
    data: { isDraft: false, assets: [{ name: 'a.txt', size: 1 }, { name: 'b.txt' }] },
    warnings: [],
    leaves: [false, 'a.txt', 'b.txt'],
  },
  {
    title: 'the first upload is refused',
    faults: [{ on: uploads, do: { status: 502 }, times: 1 }],
    data: { isDraft: true, assets: [{ name: 'b.txt' }] },
    warnings: [
      step('assets', 'a.txt'),
      unconfirmed(/as a draft, without a\.txt\..*release\.assets\.upload; then .*release\.publish/),
    ],
    leaves: [true, 'b.txt'],
  },
  {
    title: 'the answer to an upload is lost',
    faults: [{ on: uploads, do: { reset: 'after' }, times: 1 }],
    data: { isDraft: true, assets: [{ name: 'b.txt' }] },
    warnings: [
      {
        ...step('assets', 'a.txt'),
        message: expect.stringMatching(/^It is not known whether the/),
      },
      unconfirmed(/without a\.txt/),
    ],
    leaves: [true, 'a.txt', 'b.txt'],
  },
  {
    title: 'the release cannot be published',
    faults: [{ on: { method: 'PATCH' }, do: { status: 502 } }],
    data: { isDraft: true, assets: [{ name: 'a.txt' }, { name: 'b.txt' }] },
    warnings: [step('publish'), unconfirmed(/exists as a draft\..*release\.publish/)],
    leaves: [true, 'a.txt', 'b.txt'],
  },
  {
    title: 'the answer to the release is lost',
    faults: [{ on: { method: 'POST', path: '/releases$' }, do: { reset: 'after' }, times: 1 }],
    data: { isDraft: true },
    warnings: [
      step('assets', 'a.txt'),
      step('assets', 'b.txt'),
      step('publish'),
      unconfirmed(/without a\.txt, b\.txt/),
    ],
    leaves: [true],
  },
]

test.each(rows)(
  '$title: one release, told as it is',
  async ({ faults, data, warnings, leaves }) => {
    gateway.sandbox.faults.set(faults)
    const { body } = await gateway.call('release.create', input)
    expect(body).toMatchObject({ ok: true, data: { tagName: 'v9', ...data }, meta: { warnings } })
    expect(body.meta.warnings).toHaveLength(warnings.length)
    expect(made()).toEqual([leaves])
  },
)

test('a release that misses a file suggests to look which it has', async () => {
  gateway.sandbox.faults.set([{ on: uploads, do: { status: 502 }, times: 1 }])
  const { body } = await gateway.call('release.create', input)
  const { id } = body.data
  expect(body.meta).toMatchObject({
    next: [
      { capability: 'release.assets.list', input: { releaseId: id } },
      { capability: 'release.publish' },
    ],
  })
})

test.each([
  ['no Base64', { assets: [{ name: 'a.txt', content: 'Y' }] }, 'VALIDATION'],
  ['two files of one name', { assets: [...input.assets, input.assets[0]] }, 'VALIDATION'],
  ['a tag with a published release', { tagName: 'v0.8.0' }, 'CONFLICT'],
])('%s is refused before anything is made', async (_, own, code) => {
  const { store } = gateway.sandbox
  const before = repositoryIn(store).releases.length
  const { body } = await gateway.call('release.create', { ...input, ...own })
  expect(body.error).toMatchObject({ code, retryable: false })
  expect(repositoryIn(store).releases).toHaveLength(before)
})

test('a route that cannot upload is skipped, and never makes the release without its files', async () => {
  gateway.sandbox.faults.set([{ on: { method: 'POST' }, do: { status: 503 }, times: 9 }])
  const { body } = await gateway.call('release.create', input)
  expect(body.ok).toBe(false)
  expect(body.meta.attempts).toContainEqual(
    expect.objectContaining({ route: 'cli', status: 'skipped', reason: 'INPUT_NOT_SERVED' }),
  )
  expect(made()).toEqual([])
})

test('a repeated Idempotency-Key gets the first answer', async () => {
  const headers = { 'idempotency-key': 'release-v9' }
  const first = await gateway.call('release.create', input, { headers })
  const again = await gateway.call('release.create', input, { headers })
  expect(again.body.data).toEqual(first.body.data)
  expect(made()).toEqual([[false, 'a.txt', 'b.txt']])
})

test('explain lists the requests that follow', async () => {
  const response = await fetch(`${gateway.url}/v1/capabilities/release.create/explain`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })
  expect(await response.json()).toMatchObject({
    data: {
      candidates: [{ route: 'rest' }],
      follow_ups: [
        { step: 'assets', purpose: 'upload a file', subjects: ['a.txt', 'b.txt'] },
        { step: 'publish', purpose: 'publish the release' },
      ],
    },
  })
})
