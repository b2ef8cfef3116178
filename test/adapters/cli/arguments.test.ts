import { describe, expect, it } from 'vitest'
import { compileInvocation, type Invocation } from '../../../adapters/cli/arguments.ts'
import type { CliCardSection } from '../../../adapters/cli/schema.ts'
import type { SectionCompiler } from '../../../src/model/adapter.ts'
import { HOSTILE_VALUES } from '../../contract/adapter.ts'
import { compiler, connectTo, fixture } from './connected.ts'

function invocation(section: Partial<CliCardSection>, input: object = {}): Invocation {
  return compileInvocation({ command: [], ...section }, compiler)({ input })
}

describe('a call becomes arguments', () => {
  it('in the order command, options, positionals', () => {
    const section = {
      command: ['issue', 'list'],
      options: { state: 'input.state', limit: 'input.first' },
      positionals: ['input.name'],
    }
    expect(invocation(section, { state: 'open', first: 30, name: 'widgets' }).args).toEqual([
      'issue',
      'list',
      '--state=open',
      '--limit=30',
      '--',
      'widgets',
    ])
  })

  it('without null and false options, and with an option for each item of a list', () => {
    const options = { none: '`null`', off: '`false`', on: '`true`', label: 'input.labels' }
    expect(invocation({ options }, { labels: ['a', null, '--b'] }).args).toEqual([
      '--on',
      '--label=a',
      '--label=--b',
    ])
  })

  it('with an empty string as a value, and an object as JSON', () => {
    const options = { body: 'input.body', item: 'input.item' }
    expect(invocation({ options }, { body: '', item: { a: 1 } }).args).toEqual([
      '--body=',
      '--item={"a":1}',
    ])
  })

  it('with a string on stdin unchanged, and any other value as JSON', () => {
    expect(invocation({ stdin: 'input.body' }, { body: 'x\n' }).stdin).toBe('x\n')
    expect(invocation({ stdin: { a: 'input.body' } }, { body: 'x' }).stdin).toBe('{"a":"x"}')
    expect(invocation({ stdin: 'input.body' }).stdin).toBeNull()
    expect(invocation({}).stdin).toBeNull()
  })

  it('without null members on stdin at any depth, unless the card keeps nulls', () => {
    const stdin = { title: 'input.title', variables: { body: 'input.body', list: ['input.body'] } }
    expect(invocation({ stdin }, { title: 'x' }).stdin).toBe(
      '{"title":"x","variables":{"list":[null]}}',
    )
    expect(invocation({ stdin: { body: 'input.body' }, keep_nulls: true }).stdin).toBe(
      '{"body":null}',
    )
  })

  it.each([['x'], ['-title'], ['--title'], ['a b'], ['a=b'], ['']])(
    'unless an option has the invalid name %j',
    name => {
      const problems: string[] = []
      const lenient: SectionCompiler = {
        ...compiler,
        problem: (path, message) => problems.push(`${path.join('.')} ${message}`),
      }
      compileInvocation({ command: [], options: { [name]: "'v'" } }, lenient)
      expect(problems).toEqual([`options.${name} is not a long option name`])
    },
  )
})

describe('options before the command', () => {
  it('stand in front of it', () => {
    const section = {
      global_options: { 'git-dir': 'input.dir', 'no-pager': '`true`', none: 'input.none' },
      command: ['log'],
      options: { 'max-count': '`3`' },
    }
    expect(invocation(section, { dir: '-x y' }).args).toEqual([
      '--git-dir=-x y',
      '--no-pager',
      'log',
      '--max-count=3',
    ])
  })

  it('have long names', () => {
    expect(() => invocation({ global_options: { C: "'v'" } })).toThrow(
      'global_options.C is not a long option name',
    )
  })
})

describe('positionals without --', () => {
  const properties = {
    rev: { type: 'string', pattern: '^[^-]' },
    revs: { type: 'array', items: { type: 'string', pattern: '^[^-]' } },
    any: { type: 'string' },
  }
  const withInput = { ...compiler, input: { type: 'object', properties } }
  const bare = (positionals: string[], input: object = {}) =>
    compileInvocation(
      { command: ['show'], positionals, bare_positionals: true },
      withInput,
    )({
      input,
    }).args

  it('follow the options', () => {
    const input = { rev: 'HEAD~1', revs: ['a', 'b'] }
    expect(bare(['input.rev', 'input.revs', 'input.revs[*]', "'lit'", 'input.rev'], input)).toEqual(
      ['show', 'HEAD~1', 'a', 'b', 'a', 'b', 'lit', 'HEAD~1'],
    )
  })

  it.each([['input.any'], ['input.none'], ["join('', ['-', input.rev])"], ["'--all'"], ['input']])(
    'are a fault of the card as %s, which may begin with a dash',
    text => {
      expect(() => bare([text], { any: 'x' })).toThrow(/positionals.0 may begin with a dash/)
    },
  )

  it('are refused if a value begins with a dash all the same', () => {
    expect(() => bare(['input.rev'], { rev: '--output=/x' })).toThrow(/begins with a dash/)
    expect(() => bare(['input.revs'], { revs: ['a', '-x'] })).toThrow(/begins with a dash/)
  })

  it('need the schema of an input', () => {
    const section = { command: [], positionals: ['input.rev'], bare_positionals: true }
    expect(() => compileInvocation(section, compiler)).toThrow(/may begin with a dash/)
  })
})

describe('the working directory', () => {
  it('is that of the upstream', async () => {
    await using test = connectTo('pwd', { cwd: '/usr' })
    expect(await test.call({ parse: 'text' })).toMatchObject({ ok: true, body: '/usr\n' })
  })

  it('is an empty one otherwise', async () => {
    await using test = connectTo('pwd')
    expect(await test.call({ parse: 'text' })).toMatchObject({
      ok: true,
      body: expect.not.stringContaining(process.cwd()),
    })
  })

  it('that does not exist is a fault of the upstream', () => {
    expect(() => connectTo('pwd', { cwd: '/no/such/place' })).toThrow(
      /cwd \/no\/such\/place is no directory/,
    )
  })
})

describe.each(HOSTILE_VALUES)('%s as a value', (_, value) => {
  it('stays a value or is refused', async () => {
    await using test = connectTo(fixture('prints-arguments'))
    const card = { options: { title: 'input.value' }, positionals: ['input.value'] }
    const reply = await test.call(card, { input: { value }, effect: 'write' })
    const carried = { ok: true, body: { arguments: [`--title=${value}`, '--', value] } }
    const refused = {
      ok: false,
      failure: {
        code: expect.stringMatching(/^(VALIDATION|TOO_LARGE)$/),
        writeOutcome: 'not_applied',
        fallback: true,
      },
    }
    expect(reply).toMatchObject(reply.ok ? carried : refused)
  })
})
