import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FaultAction } from '../../sandbox/index.ts'
import { execute } from '../../src/call/execute.ts'
import { createState } from '../../src/engine/engine.ts'
import type { Card } from '../../src/model/card.ts'
import type { EnvelopeError } from '../../src/model/envelope.ts'
import type { ExecuteRequest } from '../../src/model/execute-request.ts'
import type { Route } from '../../src/model/route.ts'
import { SCOPES } from '../../src/model/scopes.ts'
import type { ParityCase } from '../parity/case.ts'
import { collectCases } from '../parity/collect.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

const { cases } = await collectCases()
const RUNS = 400
const ROUTES = ['rest', 'graphql'] as const satisfies readonly Route[]
/** Too short to verify a write or to wait for a quota. */
const TIMEOUT_MS = 400

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ env: { PATH: '' }, settings: { retries: 0 } })
})
afterAll(() => gateway[Symbol.asyncDispose]())

type Call = Pick<ExecuteRequest, 'capability' | 'input' | 'route'>

/** Makes a call with the gateway's memory of earlier calls cleared. Null for a success. */
async function failureOf(call: Call): Promise<EnvelopeError | null> {
  const { engine } = gateway
  const fresh = { ...engine, state: createState(engine.state.idempotency, engine.clock.now()) }
  const caller = { name: 'promise', operator: true, scopes: SCOPES }
  return (await execute(fresh, { ...call, caller, timeoutMs: TIMEOUT_MS })).envelope.error
}

/** Resets the sandbox for a case, and returns the case's input. */
function inputOf({ given, input }: ParityCase): object {
  gateway.sandbox.reset()
  gateway.sandbox.faults.clear()
  given?.(gateway.sandbox.store)
  return typeof input === 'function' ? input(gateway.sandbox.store) : input
}

function cardOf(id: string): Card {
  const card = gateway.engine.catalog.get(id)
  if (!card) throw new Error(`there is no ${id}`)
  return card
}

function membersOf({ input }: Card): readonly string[] {
  return Object.keys((input.properties ?? {}) as object)
}

/** The faults of the advice of an error. */
function faultsOf(error: EnvelopeError, call: Call): readonly string[] {
  const { action } = error.next
  const repeats = action === 'retry' || action === 'wait'
  return [
    ...(error.retryable === repeats ? [] : [`says ${action}, and retryable is ${error.retryable}`]),
    ...faultsOfFields(error, call),
    ...faultsOfRead(error),
  ]
}

function faultsOfFields({ code, next, write_outcome }: EnvelopeError, call: Call): string[] {
  const members = membersOf(cardOf(call.capability))
  const options = call.route === undefined ? [] : ['route']
  const known = [...members, ...Object.keys(call.input ?? {}), ...options]
  const { fields = [], action } = next
  const strange = fields.filter(name => !known.includes(name.replace(/[.[].*/, '')))
  // A change that was made in part has to be looked at first.
  const isOpen = ['unknown', 'applied'].includes(write_outcome ?? '')
  const needsFix = code === 'VALIDATION' && members.length > 0 && !isOpen
  const needsRoute = code === 'ADAPTER_UNSUPPORTED' && call.route !== undefined
  return [
    ...strange.map(name => `names ${name}, which is no member of the input`),
    ...((needsFix || action === 'fix_input') && fields.length === 0
      ? ['names nothing to fix']
      : []),
    ...(needsRoute && !fields.includes('route') ? ['does not name the pinned route'] : []),
  ]
}

function faultsOfRead({ next: { capability, input } }: EnvelopeError): string[] {
  if (capability === undefined) return []
  const reader = gateway.engine.catalog.get(capability)
  if (reader?.effect !== 'read') return [`names ${capability}, which is no read`]
  return isRefused(reader, input) ? [`names an input that ${capability} refuses`] : []
}

function isRefused(reader: Card, input: unknown): boolean {
  try {
    reader.parseInput(input)
    return false
  } catch {
    return true
  }
}

async function expectGoodAdvice(call: Call): Promise<EnvelopeError | null> {
  const error = await failureOf(call)
  const faults = error ? faultsOf(error, call) : []
  expect(faults, `${JSON.stringify({ call, error })}`).toEqual([])
  return error
}

const STATUSES = [
  400, 401, 403, 404, 405, 409, 410, 412, 413, 415, 422, 423, 429, 451, 500, 501, 502, 503, 504,
]
const json = (status: number, body: unknown): FaultAction => ({ status, body })
const graphqlErrors = (type: string | null, message: string): FaultAction =>
  json(200, { data: null, errors: [{ ...(type === null ? {} : { type }), message, path: ['x'] }] })

/** Failures that no input causes. */
const ACTIONS: readonly FaultAction[] = [
  ...STATUSES.map(status => ({ status })),
  ...(['before', 'midbody', 'after'] as const).map(reset => ({ reset })),
  { rate_limit: 'primary' },
  { rate_limit: 'secondary' },
  { truncate: 0 },
  { truncate: 20 },
  { hang: true },
  { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html>' },
  json(404, { message: 'Not Found', documentation_url: 'https://docs.github.com/rest' }),
  ...['NOT_FOUND', 'FORBIDDEN', 'UNPROCESSABLE', 'INSUFFICIENT_SCOPES', 'STALE_DATA', null].map(
    type => graphqlErrors(type, 'Something is wrong with this.'),
  ),
  graphqlErrors('NOT_FOUND', "Could not resolve to a node with the global id of 'nothing'."),
]

test('whatever goes wrong upstream, the advice can be followed', async () => {
  const calls = fc.record({
    id: fc.constantFrom(...cases.keys()),
    index: fc.nat(20),
    action: fc.constantFrom(...ACTIONS),
    route: fc.constantFrom(undefined, ...ROUTES),
  })
  await fc.assert(
    fc.asyncProperty(calls, async ({ id, index, action, route }) => {
      const own = cases.get(id) ?? []
      const input = inputOf(own[index % own.length] as ParityCase)
      gateway.sandbox.faults.set([{ do: action, times: 100 }])
      const call = { capability: id, input, ...(route === undefined ? {} : { route }) }
      const error = await failureOf(call)
      expect(error ? faultsOf(error, call) : []).toEqual([])
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
}, 240_000)

const failing = [...cases].flatMap(([id, own]) =>
  own.filter(({ fails }) => fails !== undefined).map(parityCase => [id, parityCase] as const),
)

test('whatever the service refuses, the advice can be followed', async () => {
  expect(failing.length).toBeGreaterThan(50)
  for (const [capability, parityCase] of failing) {
    for (const route of ROUTES) {
      await expectGoodAdvice({ capability, input: inputOf(parityCase), route })
    }
  }
}, 240_000)

test('a complaint about a name of GitHub is translated to the member of this capability', async () => {
  const renamed = gateway.engine.catalog
    .all()
    .flatMap(card => [...card.upstreamNames].map(([name, member]) => ({ card, name, member })))
  expect(renamed.length).toBeGreaterThan(20)
  for (const { card, name, member } of renamed) {
    if (!card.routes.some(({ route }) => route === 'rest')) continue
    const parityCase = cases.get(card.id)?.find(({ fails, except }) => !fails && !except?.rest)
    if (!parityCase) continue
    const input = inputOf(parityCase)
    const errors = [{ resource: 'Thing', field: name, code: 'invalid' }]
    const refusal = json(422, { message: 'Validation Failed', errors })
    gateway.sandbox.faults.set([{ do: refusal, times: 100 }])
    const error = await expectGoodAdvice({ capability: card.id, input, route: 'rest' })
    expect(error?.next, `${card.id}: ${name}`).toEqual({ action: 'fix_input', fields: [member] })
  }
}, 240_000)

const valid = [...cases].flatMap(([id, own]) =>
  own
    .filter(({ fails }) => fails === undefined)
    .slice(0, 1)
    .map(parityCase => [id, parityCase] as const),
)

test('whatever is wrong with the input, the advice names it', async () => {
  for (const [capability, parityCase] of valid) {
    const input = inputOf(parityCase)
    const required = (cardOf(capability).input.required ?? []) as readonly string[]
    for (const member of required) {
      const { [member]: _, ...rest } = input as Record<string, unknown>
      const missing = await expectGoodAdvice({ capability, input: rest })
      expect(missing?.next, `${capability}: ${member}`).toEqual({
        action: 'fix_input',
        fields: [member],
      })
      const wrong = await expectGoodAdvice({ capability, input: { ...input, [member]: {} } })
      expect(wrong?.next.fields?.[0], `${capability}: ${member}`).toMatch(new RegExp(`^${member}`))
    }
    const more = await expectGoodAdvice({ capability, input: { ...input, no_such: 1 } })
    expect(more?.next, `${capability}`).toEqual({ action: 'fix_input', fields: ['no_such'] })
  }
}, 120_000)

test('the member whose value the service quotes is the one that is not found', async () => {
  for (const [capability, parityCase] of valid) {
    const card = cardOf(capability)
    if (!card.routes.some(({ route }) => route === 'graphql') || parityCase.except?.graphql)
      continue
    const input = inputOf(parityCase)
    for (const [member, value] of Object.entries(input)) {
      if (typeof value === 'object' || String(value).length < 3) continue
      const message = `Could not resolve to a thing with the name '${value}'.`
      const action = graphqlErrors('NOT_FOUND', message)
      gateway.sandbox.faults.set([{ do: action, times: 100 }])
      const error = await expectGoodAdvice({ capability, input, route: 'graphql' })
      if (error?.code !== 'NOT_FOUND') continue
      expect(error.next.fields, `${capability}: ${member}`).toContain(member)
    }
  }
}, 240_000)

describe('NOT_FOUND names the member that does not exist', () => {
  const repo = { owner: 'octo-org', name: 'hello-world' }
  test.each([
    ['repo.view', { owner: 'octo-org', name: 'no-such-repo' }, 'name'],
    ['issue.view', { ...repo, issueNumber: 987654 }, 'issueNumber'],
    ['pr.view', { ...repo, prNumber: 987654 }, 'prNumber'],
  ])('%s %j: %s', async (capability, input, member) => {
    inputOf({ input })
    const error = await expectGoodAdvice({ capability, input, route: 'graphql' })
    expect(error).toMatchObject({ code: 'NOT_FOUND', next: { action: 'fix_input' } })
    expect(error?.next.fields).toContain(member)
  })
})

test('a conflict names a read that shows the state', async () => {
  const input = inputOf({ input: { owner: 'octo-org', name: 'hello-world', prNumber: 4 } })
  gateway.sandbox.faults.set([{ on: { method: 'PUT' }, do: json(409, { message: 'Conflict' }) }])
  const error = await expectGoodAdvice({ capability: 'pr.merge', input, route: 'rest' })
  expect(error).toMatchObject({ code: 'CONFLICT', next: { capability: 'pr.view', input } })
})
