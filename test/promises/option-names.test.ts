import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runHere } from '../commands/support/run-here.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { githubEnv } from '../support/github.ts'
import { useTool } from './support/keyed-doors.ts'
import { headersOf, settings } from './support/six-keys.ts'

vi.setConfig({ testTimeout: 60_000 })

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ settings })
})
afterAll(() => gateway[Symbol.asyncDispose]())

type Option = 'key' | 'approval' | 'reason'
type Names = Readonly<Record<Option, string>>

interface Asked {
  /** The gateway key. */
  readonly who: 'asking' | 'operator'
  readonly title: string
  readonly option: string
  readonly value: string
}

interface Failed {
  readonly error: {
    readonly next: { readonly fields: readonly string[] }
    readonly details: { readonly fields: readonly { readonly path: string }[] }
  }
}

interface Door {
  /** The text that a caller writes there. */
  readonly names: Names
  readonly call: (asked: Asked) => Promise<Failed>
}

const CAPABILITY = 'issue.create'
const MEMBERS: Names = { key: 'idempotency_key', approval: 'approval', reason: 'reason' }
const ARGUMENTS: Names = { ...MEMBERS, approval: 'approval_id' }
const inputOf = ({ title }: Asked) => ({ owner: 'octo-org', name: 'hello-world', title })
const optionOf = ({ option, value }: Asked) => ({ [option]: value })

async function use({ who }: Asked, query: string, params: object): Promise<unknown> {
  return await useTool(gateway, who, `${query}&profile=default`, params)
}

interface BatchAnswer {
  readonly data: { readonly results: readonly [{ readonly envelope: Failed }] }
}

const DOORS = {
  HTTP: {
    names: {
      key: 'idempotency-key',
      approval: 'signalbox-approval',
      reason: 'signalbox-reason',
    },
    call: async asked => {
      const headers = { ...headersOf(asked.who), ...optionOf(asked) }
      return (await gateway.call(CAPABILITY, inputOf(asked), { headers })).body as Failed
    },
  },
  batch: {
    names: MEMBERS,
    call: async asked => {
      const calls = [{ capability: CAPABILITY, input: inputOf(asked), ...optionOf(asked) }]
      const response = await fetch(`${gateway.url}/v1/batch`, {
        method: 'POST',
        headers: headersOf(asked.who),
        body: JSON.stringify({ calls }),
      })
      return ((await response.json()) as BatchAnswer).data.results[0].envelope
    },
  },
  'a tool of MCP': {
    names: ARGUMENTS,
    call: async asked =>
      (await use(asked, '?tools=all', {
        name: CAPABILITY,
        arguments: { ...inputOf(asked), ...optionOf(asked) },
      })) as Failed,
  },
  '_meta of MCP': {
    names: MEMBERS,
    call: async asked =>
      (await use(asked, '?tools=all', {
        name: CAPABILITY,
        arguments: inputOf(asked),
        _meta: { [`signalbox/${asked.option}`]: asked.value },
      })) as Failed,
  },
  'the tool call of MCP': {
    names: ARGUMENTS,
    call: async asked =>
      (await use(asked, '?tools=search', {
        name: 'call',
        arguments: { capability: CAPABILITY, input: inputOf(asked), ...optionOf(asked) },
      })) as Failed,
  },
  'the tool batch of MCP': {
    names: MEMBERS,
    call: async asked => {
      const calls = [{ capability: CAPABILITY, input: inputOf(asked), ...optionOf(asked) }]
      const answer = await use(asked, '?tools=search', { name: 'batch', arguments: { calls } })
      return (answer as BatchAnswer).data.results[0].envelope
    },
  },
} satisfies Record<string, Door>

const LOCAL: Door = {
  names: { key: 'idempotency-key', approval: 'approval', reason: 'reason' },
  call: async asked => {
    const words = Object.entries(inputOf(asked)).map(([name, value]) => `${name}=${value}`)
    const env = { ...githubEnv(gateway.sandbox.url), SIGNALBOX_JOURNAL: ':memory:' }
    const args = ['call', CAPABILITY, ...words, `--${asked.option}`, asked.value]
    return JSON.parse((await runHere(args, env)).stdout) as Failed
  },
}

const MALFORMED: readonly (readonly [Option, string])[] = [
  ['key', 'a b'],
  ['approval', 'a b'],
  ['reason', 'r'.repeat(501)],
]

function namedIn({ error }: Failed) {
  return { next: error.next.fields, details: error.details.fields.map(({ path }) => path) }
}

const only = (name: string) => ({ next: [name], details: [name] })

const doors: Readonly<Record<string, Door>> = { ...DOORS, 'command line': LOCAL }
const malformed = Object.keys(doors).flatMap(door =>
  MALFORMED.map(([option, value]) => ({ door, option, value })),
)

test.each(malformed)('$door names a malformed $option as it takes it', async cell => {
  const { names, call } = doors[cell.door] as Door
  const option = names[cell.option]
  const failed = await call({ who: 'operator', title: 'Malformed', option, value: cell.value })
  expect(namedIn(failed)).toEqual(only(option))
})

test.each(Object.entries(DOORS))(
  '%s names the approval of another call as it takes it',
  async (door, { names, call }) => {
    const value = '01M8PYVNXR1QGZ4AGS343W99ZZ'
    const title = `Approved elsewhere ${door}`
    const failed = await call({ who: 'asking', title, option: names.approval, value })
    expect(namedIn(failed)).toEqual(only(names.approval))
  },
)

test.each(Object.entries(DOORS))(
  '%s names a key of another call as it takes it',
  async (door, { names, call }) => {
    const key = {
      who: 'operator',
      option: names.key,
      value: `once-${door.replaceAll(' ', '-')}`,
    } as const
    await call({ title: 'One', ...key })
    expect(namedIn(await call({ title: 'Two', ...key }))).toEqual(only(names.key))
  },
)
