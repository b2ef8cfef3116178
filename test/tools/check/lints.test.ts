import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { SHIPPED_DIRECTORIES } from '../../../src/cards/packs.ts'
import { findWarnings } from '../../../src/tools/check/lints.ts'
import { undeclaredDestruction } from '../../../src/tools/check/undeclared.ts'
import { runHere } from '../../commands/support/run-here.ts'
import { temporaryDirectory } from '../../commands/support/signalbox.ts'

vi.setConfig({ testTimeout: 120_000 })

/** A card without faults, with some lines replaced. */
interface Fault {
  readonly name: string
  readonly id?: string
  readonly version?: string
  readonly input?: string
  readonly output?: string
  readonly effect?: string
  readonly rest?: string
  readonly verify?: string
  /** Another line. */
  readonly more?: string
  readonly upstream?: string
  /** The line that `check` prints, without the file. */
  readonly message: RegExp
  readonly fix: RegExp
}

const INPUT = '{ type: object, required: [sku], properties: { sku: { type: string } } }'
const OUTPUT = '{ type: object, required: [sku], properties: { sku: { type: string } } }'
const REST = '{ method: GET, path: "/parts/{sku}", result: "body.{sku: id}" }'
const UPSTREAM = 'http://127.0.0.1:9'

function cardOf(fault: Partial<Fault>) {
  const { input = INPUT, output = OUTPUT, effect = 'read', rest = REST, verify } = fault
  const { id = 'part.view', version = '1.0.0' } = fault
  return [
    `id: ${id}`,
    `version: ${version}`,
    'description: Show one part.',
    `effect: ${effect}`,
    `input: ${input}`,
    `output: ${output}`,
    'prefer: [rest]',
    'routes:',
    `  rest: ${rest}`,
    ...(verify ? [`verify: ${verify}`] : []),
    ...(fault.more ? [fault.more] : []),
    '',
  ].join('\n')
}

async function check(fault: Partial<Fault>, ...args: string[]) {
  await using directory = await temporaryDirectory()
  const address = JSON.stringify(fault.upstream ?? UPSTREAM)
  await writeFile(
    join(directory.path, 'upstream.yaml'),
    `id: inv\nrest: { base_url: ${address} }\n`,
  )
  await writeFile(join(directory.path, 'part.view.yaml'), cardOf(fault))
  return await runHere(['check', directory.path, ...args])
}

const problems: readonly Fault[] = [
  {
    name: 'a variable of the path that the input lacks',
    rest: '{ method: GET, path: "/parts/{part}", query: { s: input.sku }, result: "body.{sku: id}" }',
    message: /:9: routes\.rest\.path names \{part\}, which the input lacks/,
    fix: /Add part to input\.properties and input\.required, or write one of sku\./,
  },
  {
    name: 'a required member of the input that properties lacks',
    input: '{ type: object, required: [sku, skuu], properties: { sku: { type: string } } }',
    message: /:5: input\.required names "skuu", which properties lacks, so that no value fits/,
    fix: /Add skuu to properties, or write the name of one: sku\./,
  },
  {
    name: 'a member that identifies an object, but that the output lacks',
    effect: 'write',
    verify:
      '{ capability: part.view, input: input, found: data, created: made, identity: [id], settles_ms: 1 }',
    message: /verify\.identity\.0 names "id", which the output lacks/,
    fix: /Use some of sku\./,
  },
  {
    name: 'a required member inside the output that closed properties lack',
    output:
      '{ type: object, properties: { sku: { type: object, required: [a], additionalProperties: false, properties: {} } } }',
    message: /output\.properties\.sku\.required names "a"/,
    fix: /Add a to properties/,
  },
  {
    name: 'input where it is not in scope, for a member that must not be null',
    rest: '{ method: GET, path: "/parts/{sku}", result: "body.{sku: input.sku}" }',
    message:
      /routes\.rest\.result makes "sku" of input\.sku where input is not in scope, so that it is always null/,
    fix: /Write \$\.input\.sku,/,
  },
  {
    name: 'a required member of the output that result never makes',
    rest: '{ method: GET, path: "/parts/{sku}", result: "body.{id: id}" }',
    message: /routes\.rest\.result never makes "sku", which output requires/,
    fix: /Add sku to result, or take it out of output\.required\./,
  },
  {
    name: 'a query in the address of the upstream',
    upstream: 'http://127.0.0.1:9?api_key=a',
    message: /upstream\.yaml:2: rest\.base_url has a query, which no request sends/,
    fix: /belongs in query of the cards/,
  },
  {
    name: 'the root of JSONPath',
    rest: '{ method: GET, path: "/parts/{sku}", result: "{sku: $.id}" }',
    message: /reads "\$\.id", but \$ has only input, lookup, body/,
    fix: /write body\.id\./,
  },
  {
    name: 'the steps of JSONPath',
    rest: '{ method: GET, path: "/parts/{sku}", result: "{sku: body..id}" }',
    message: /does not compile/,
    fix: /JMESPath has no "\.\.": name each member/,
  },
  {
    name: 'a number without backticks',
    rest: '{ method: GET, path: "/parts/{sku}", result: "{sku: body.id == 1}" }',
    message: /does not compile/,
    fix: /Write a number in backticks: `1`\./,
  },
  {
    name: 'a text in backticks',
    rest: '{ method: GET, path: "/parts/{sku}", query: { state: "`open`" }, result: "body.{sku: id}" }',
    message: /query\.state does not compile/,
    fix: /Write a text in single quotes/,
  },
  {
    name: 'typographic quotes',
    rest: '{ method: GET, path: "/parts/{sku}", query: { state: "‘open’" }, result: "body.{sku: id}" }',
    message: /query\.state does not compile/,
    fix: /Use straight quotes/,
  },
  {
    name: 'a text without its inner quotes',
    rest: "{ method: GET, path: '/parts/{sku}', query: { state: 'open' }, result: 'body.{sku: id}' }",
    message: /query\.state reads "open", but only input, lookup are in scope/,
    fix: /A bare word is a name in JMESPath. For the text, write 'open' in single quotes \(in YAML: "'open'"\); for a member, write input\.open\./,
  },
  {
    name: 'a constant without backticks',
    rest: '{ method: GET, path: "/parts/{sku}", query: { all: "true" }, result: "body.{sku: id}" }',
    message: /query\.all reads "true"/,
    fix: /Write it in backticks: `true`\./,
  },
  {
    name: 'a number in quotes',
    rest: '{ method: GET, path: "/parts/{sku}", query: { size: "50" }, result: "body.{sku: id}" }',
    message: /query\.size does not compile/,
    fix: /Write the number without quotes; inside an expression, a number has backticks: `1`\./,
  },
  {
    name: 'a member of an input without members',
    input: '{ type: object, properties: {} }',
    rest: '{ method: GET, path: /parts, query: { sku: input.sku }, result: "body.{sku: id}" }',
    message: /query\.sku reads input\.sku, but the input has no members$/m,
    fix: /Correct the name, or add sku to input\.properties\./,
  },
  ...[
    ['missing', 'missing: "!(lookup.b.id)"', 'no lookup of the route runs before'],
    [
      'query.s',
      'query: { s: lookup.b.id }, lookup: { a: { method: GET, path: /a } }',
      'the only lookups that run before are a',
    ],
    [
      'lookup.a.query.s',
      'lookup: { a: { method: GET, path: /a, query: { s: lookup.b.id } }, b: { method: GET, path: /b } }',
      'no lookup of the route runs before',
    ],
  ].map(([place = '', keys = '', others = '']) => ({
    name: `a lookup that there is not in ${place}`,
    rest: `{ method: GET, path: "/parts/{sku}", ${keys}, result: "body.{sku: id}" }`,
    message: new RegExp(
      `routes\\.rest\\.${place.replaceAll('.', '\\.')} reads lookup\\.b, but ${others}$`,
      'm',
    ),
    fix: /Correct the name, or add b to lookup of the route\./,
  })),
  {
    name: 'a step that there is not',
    effect: 'write',
    rest: '{ method: POST, path: "/parts/{sku}", then: { a: { purpose: tell, method: POST, path: /a } }, result: "{sku: then.b.id}" }',
    message: /routes\.rest\.result reads then\.b, but the only steps that run before are a/,
    fix: /add b to then of the route/,
  },
  {
    name: 'a variable of the path when the input has no members',
    input: '{ type: object, properties: {} }',
    message: /routes\.rest\.path names \{sku\}/,
    fix: /Add sku to input\.properties and input\.required\.$/m,
  },
  {
    name: 'a type that JSON Schema does not have',
    output: '\n  type: object\n  required: [sku]\n  properties:\n    sku: { type: strng }',
    message:
      /:10: output\.properties\.sku\.type must be one of array, boolean, integer, null, number, object, string$/m,
    fix: /Correct the value: JSON Schema allows no other\./,
  },
  {
    name: 'a keyword that JSON Schema does not have',
    input: '\n  type: object\n  propertys: { sku: { type: string } }',
    message: /:7: input\.propertys is no keyword of JSON Schema that Signalbox knows/,
    fix: /Write properties, or remove it: a keyword without effect is refused\./,
  },
  {
    name: 'an id without a verb',
    id: 'parts',
    message: /:1: id must match|:1: id does not have the right form/,
    fix: /A noun and a verb in lower case, with a dot between, such as part\.view\./,
  },
  {
    name: 'a number where a text belongs',
    version: '1',
    message: /:2: version must be string/,
    fix: /such as 1\.0\.0\./,
  },
  {
    name: 'a suggested capability that does not exist',
    more: 'next: [{ capability: part.veiw, input: input }]',
    message: /:10: next\.0\.capability names the capability "part\.veiw", which does not exist/,
    fix: /Write part\.view\./,
  },
  {
    name: 'a quota that the upstream does not have',
    more: 'pool: { rest: main }',
    message: /:10: pool\.rest names "main", which is no pool of inv/,
    fix: /Add it to pools in upstream\.yaml, as in pools: \{ main: \{\} \}\./,
  },
  {
    name: 'an address without a scheme',
    upstream: '127.0.0.1:9',
    message: /upstream\.yaml:2: rest\.base_url does not have the right form/,
    fix: /such as https:\/\/api\.example\.com\/v1\./,
  },
]

const warnings: readonly Fault[] = [
  ...['POST', 'PUT', 'PATCH', 'DELETE'].map(method => ({
    name: `${method} in a card that reads`,
    rest: `{ method: ${method}, path: "/parts/{sku}", result: "body.{sku: id}" }`,
    message: new RegExp(`warning: routes\\.rest\\.method is ${method} in a card that reads`),
    fix: /add reads: true to the section; else write effect: (write|idempotent)\./,
  })),
  {
    name: 'a lookup that writes',
    rest: '{ method: GET, path: "/parts/{sku}", lookup: { a: { method: POST, path: /a } }, result: "body.{sku: id}" }',
    message: /warning: routes\.rest\.lookup\.a\.method is POST/,
    fix: /or use another request\./,
  },
  {
    name: 'a DELETE that does not say whether it is destructive',
    effect: 'idempotent',
    rest: '{ method: DELETE, path: "/parts/{sku}", result: "{sku: input.sku}" }',
    message: /:4: warning: effect sends DELETE, but does not say whether it is destructive/,
    fix: /Write destructive: true beside effect if it deletes.*; else destructive: false\./,
  },
  {
    name: 'a member of the input that no route uses',
    input:
      '{ type: object, required: [sku], properties: { sku: { type: string }, kind: { type: string } } }',
    message: /:5: warning: input\.properties\.kind is not used by any route/,
    fix: /Send it, e\.g\. query: \{ kind: input\.kind \}, or remove it from input\./,
  },
  {
    name: 'a member whose name providers of models refuse',
    input:
      '{ type: object, required: [sku], properties: { sku: { type: string }, a: { type: array, items: { type: object, properties: { "not[b]": {} } } } } }',
    rest: '{ method: GET, path: "/parts/{sku}", query: { a: input.a }, result: "body.{sku: id}" }',
    message:
      /warning: input\.properties\.a\.items\.properties\.not\[b\] is no name that all models take/,
    fix: /Rename it/,
  },
  {
    name: 'a query in the path',
    rest: '{ method: GET, path: "/parts?sku={sku}&v=2", result: "body.{sku: id}" }',
    message: /warning: routes\.rest\.path has a query/,
    fix: /Write query: \{ sku: input\.sku, v: "'2'" \} beside it\./,
  },
  {
    name: 'a variable of the path that callers may leave out',
    input: '{ type: object, properties: { sku: { type: string } } }',
    message: /warning: routes\.rest\.path needs \{sku\}, which callers may leave out/,
    fix: /Add sku to input\.required/,
  },
  {
    name: 'input where it is not in scope',
    rest: '{ method: GET, path: "/parts/{sku}", result: "{sku: body.items[?a == input.sku] | [0].id}" }',
    message: /warning: routes\.rest\.result reads input\.sku where input is not in scope/,
    fix: /Write \$\.input\.sku/,
  },
  {
    name: 'a comparison with a member that looks like a text',
    rest: `{ method: GET, path: "/parts/{sku}", result: 'body.{sku: items[?state == "open"] | [0].id}' }`,
    message: /warning: routes\.rest\.result compares with the member "open"/,
    fix: /For the value, write 'open'\./,
  },
]

describe('check reports', () => {
  test.each(problems)('$name, which makes a call impossible', async fault => {
    const { code, stderr } = await check(fault)
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(fault.message) })
    expect(stderr).toMatch(fault.fix)
    expect(stderr).not.toContain('warning')
  })

  test.each(warnings)('$name, as a warning', async fault => {
    const { code, stderr } = await check(fault)
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(fault.message) })
    expect(stderr).toMatch(fault.fix)
    expect(stderr.split('\n')).toHaveLength(3)
  })
})

test('warnings alone fail with --strict only', async () => {
  const [fault = {}] = warnings
  expect(await check(fault)).toMatchObject({
    code: 0,
    stdout: '1 capability, 0 problems, 1 warning\n',
  })
  expect(await check(fault, '--strict')).toMatchObject({ code: 1 })
  expect(await check({}, '--strict')).toEqual({
    code: 0,
    stdout: '1 capability, 0 problems\n',
    stderr: '',
  })
})

test.each([
  [
    'a search by POST',
    '{ method: POST, path: "/parts/{sku}", reads: true, result: "body.{sku: id}" }',
  ],
  ['$.input', '{ method: GET, path: "/parts/{sku}", result: "body.{sku: $.input.sku}" }'],
  [
    'a whole input',
    '{ method: GET, path: /parts, query: { q: "to_string(input)" }, result: "body.{sku: id}" }',
  ],
  [
    'an optional part of the path',
    '{ method: GET, path: "/parts{?sku}", result: "body.{sku: id}" }',
  ],
])('%s is no fault', async (_what, rest) => {
  expect(await check({ rest })).toEqual({
    code: 0,
    stdout: '1 capability, 0 problems\n',
    stderr: '',
  })
})

test('only changes that look destructive have to say whether they are', () => {
  const change = { effect: 'write', routes: { rest: { method: 'POST' } } }
  for (const id of ['pr.merge', 'repo.transfer', 'branch.delete_all']) {
    expect(undeclaredDestruction({ ...change, id })).toMatch(/^is named (merge|transfer|delete)$/)
    expect(undeclaredDestruction({ ...change, id, destructive: false })).toBeNull()
    expect(undeclaredDestruction({ ...change, id, effect: 'read' })).toBeNull()
  }
  expect(undeclaredDestruction({ ...change, id: 'pr.merged.mark' })).toBeNull()
})

test('the shipped cards give no warning', () => {
  expect(findWarnings(SHIPPED_DIRECTORIES)).toEqual([])
})

test.each([
  [
    'that does not exist',
    null,
    /:2: warning: cli\.command is \.\/run, which does not exist/,
    /Correct the/,
  ],
  ['that is not executable', 0o644, /warning: .*which is not executable: calls skip/, /chmod \+x/],
  ['that can run', 0o755, /^$/, /^$/],
])('check looks at a program beside upstream.yaml %s', async (_name, mode, message, fix) => {
  await using directory = await temporaryDirectory()
  const cli = 'cli: { command: ./run }'
  await writeFile(join(directory.path, 'upstream.yaml'), `id: inv\n${cli}\n`)
  const card = cardOf({ rest: '{}' }).replace('[rest]', '[cli]')
  const section = 'cli: { command: [], positionals: [input.sku], result: "{sku: body.id}" }'
  await writeFile(join(directory.path, 'part.view.yaml'), card.replace('rest: {}', section))
  if (mode !== null) {
    await writeFile(join(directory.path, 'run'), '#!/bin/sh\n')
    await chmod(join(directory.path, 'run'), mode)
  }
  const { code, stderr } = await runHere(['check', directory.path])
  expect(stderr).toMatch(message)
  expect(stderr).toMatch(fix)
  expect(code).toBe(0)
})
