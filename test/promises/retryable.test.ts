import { expect, test } from 'vitest'
import { WRITE_OUTCOMES, type WriteOutcome } from '../../src/model/errors.ts'
import { PROFILE_NAMES, type ProfileName } from '../../src/model/profile-name.ts'
import { EFFECTS, type Effect } from '../../src/model/route.ts'
import { signalbox } from '../commands/support/signalbox.ts'
import { sendBatch } from '../support/batch.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { writePack } from '../support/packs.ts'
import { type ReadFailure, readFailure } from '../support/read-failure.ts'
import { sendJson, startService } from '../support/service.ts'

const WAIT_S = 600

/** The service says itself what became of a change. Every failure would pass by itself. */
const rule = (outcome: WriteOutcome) => `
  - when: { status: 409, body: "body.outcome == '${outcome}'" }
    then: { code: CONFLICT, retryable: true, write_outcome: ${outcome}, retry_after_s: ${WAIT_S} }`

const card = (effect: Effect) => `
id: thing.${effect}
version: 1.0.0
description: Fail as the input says.
effect: ${effect}
input:
  type: object
  required: [outcome]
  additionalProperties: false
  properties: { outcome: { type: string } }
output: { type: object, required: [outcome], properties: { outcome: { type: string } } }
prefer: [rest]
routes:
  rest:
    method: ${effect === 'read' ? 'GET' : 'PUT'}
    path: /{outcome}
    result: "{outcome: body.outcome}"
`

interface Place {
  readonly gateway: TestGateway
  readonly pack: string
}

async function openPlace(): Promise<Place> {
  const service = await startService(({ url }, response) => {
    sendJson(response, { message: 'Busy.', outcome: url.slice(1) }, 409)
  })
  const pack = await writePack({
    'upstream.yaml': `
id: thing
description: Fails.
rest: { base_url: "${service.url}" }
failures: ${WRITE_OUTCOMES.map(rule).join('')}
`,
    ...Object.fromEntries(EFFECTS.map(effect => [`thing.${effect}.yaml`, card(effect)])),
  })
  return { gateway: await startTestGateway({ settings: { capabilities: [pack] } }), pack }
}

interface Cell {
  readonly effect: Effect
  readonly outcome: WriteOutcome
  readonly profile: ProfileName
}

type Door = (place: Place, cell: Cell) => Promise<unknown>

const DOORS = {
  HTTP: async ({ gateway }, { effect, outcome, profile }) =>
    (await gateway.call(`thing.${effect}`, { outcome }, { query: { profile } })).body,
  batch: async ({ gateway }, { effect, outcome, profile }) => {
    const calls = [{ capability: `thing.${effect}`, input: { outcome }, profile }]
    return (await sendBatch(gateway, { calls })).results[0]?.envelope
  },
  MCP: async ({ gateway }, { effect, outcome, profile }) =>
    await useTool(gateway, `?tools=all&profile=${profile}`, `thing_${effect}`, { outcome }),
  'the tool call of MCP': async ({ gateway }, { effect, outcome, profile }) => {
    const args = { capability: `thing.${effect}`, input: { outcome } }
    return await useTool(gateway, `?profile=${profile}`, 'call', args)
  },
  'the tool batch of MCP': async ({ gateway }, { effect, outcome, profile }) => {
    const calls = [{ capability: `thing.${effect}`, input: { outcome }, profile }]
    const { data } = (await useTool(gateway, '', 'batch', { calls })) as BatchAnswer
    return data.results[0]?.envelope
  },
  'command line': async ({ pack }, { effect, outcome, profile }) => {
    const args = ['call', `thing.${effect}`, `outcome=${outcome}`, '--profile', profile]
    const env = { SIGNALBOX_CAPABILITIES: pack, SIGNALBOX_JOURNAL: ':memory:' }
    return JSON.parse((await signalbox(args, env)).stdout)
  },
} satisfies Record<string, Door>

interface BatchAnswer {
  readonly data: { readonly results: readonly { readonly envelope: unknown }[] }
}

async function useTool(
  { url }: TestGateway,
  query: string,
  name: string,
  args: object,
): Promise<unknown> {
  const response = await fetch(`${url}/mcp${query}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args },
    }),
  })
  const [, text = ''] = /^(?:data: )?(\{.*\})$/m.exec(await response.text()) ?? []
  const { result } = JSON.parse(text) as { result: { content: { text: string }[] } }
  return JSON.parse(result.content[0]?.text ?? '')
}

/** Whether an answer may call a change retryable, by its outcome. Equal at every door and in every dialect. */
const EXPECTED = { not_applied: true, unknown: false, applied: false } satisfies Record<
  WriteOutcome,
  boolean
>

function expectedIn({ effect, outcome }: Cell): ReadFailure {
  const retry = effect === 'read' || EXPECTED[outcome]
  return {
    retry,
    outcome: effect === 'read' ? null : outcome,
    waitMs: WAIT_S * 1000,
    next: retry ? { action: 'wait', after_ms: WAIT_S * 1000 } : { action: 'ask_human' },
  }
}

const CELLS: readonly Cell[] = PROFILE_NAMES.flatMap(profile =>
  EFFECTS.flatMap(effect => WRITE_OUTCOMES.map(outcome => ({ effect, outcome, profile }))),
)

/** Each call by the command line starts a process: try every dialect, and every outcome in one of them. */
function cellsOf(door: keyof typeof DOORS): readonly Cell[] {
  if (door !== 'command line') return CELLS
  const isChosen = ({ profile, effect, outcome }: Cell) =>
    (effect === 'write' && outcome === 'unknown') || profile === 'compact'
  return CELLS.filter(isChosen)
}

test.each(Object.keys(DOORS) as (keyof typeof DOORS)[])(
  'by %s, every dialect says truly whether the same call may be sent again, and what to do',
  async door => {
    const place = await openPlace()
    await using _ = place.gateway
    for (const cell of cellsOf(door)) {
      const failure = readFailure(cell.profile, await DOORS[door](place, cell))
      expect(failure, `${Object.values(cell).join(' ')}`).toEqual(expectedIn(cell))
    }
  },
  240_000,
)
