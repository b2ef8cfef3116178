import { describe, expect, test } from 'vitest'
import { PACKS, packDirectories } from '../../src/cards/packs.ts'
import { compileInput } from '../../src/cards/validate.ts'
import type { FieldProblem } from '../../src/model/card.ts'
import { GatewayError } from '../../src/model/errors.ts'
import { loadPacks } from '../support/packs.ts'

const { cards } = await loadPacks(packDirectories(PACKS))

const repo = { owner: 'octo-org', name: 'hello-world' }
const MEANT = /Did you mean ([^?]+)\?$/
const APART = 'Send what stands before the slash as owner, and the rest as name.'

function refuse(parse: (input: unknown) => unknown, input: object): GatewayError {
  try {
    parse(input)
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
  throw new Error('the input is accepted')
}

function adviceOn(error: GatewayError, path: string): string | undefined {
  const fields = error.details.fields as readonly FieldProblem[]
  return fields.find(field => field.path === path)?.message
}

/** The capability, the rest of the input, the slip, and the right name. */
const SLIPS: readonly (readonly [string, object, string, unknown, string])[] = [
  ['issue.view', repo, 'number', 1, 'issueNumber'],
  ['issue.view', repo, 'issue_number', 1, 'issueNumber'],
  ['issue.view', repo, 'issue-Number', 1, 'issueNumber'],
  ['issue.view', repo, 'issue', 1, 'issueNumber'],
  ['issue.view', repo, 'id', 1, 'issueNumber'],
  ['issue.view', { owner: 'octo-org', issueNumber: 1 }, 'repo', 'hello-world', 'name'],
  ['issue.view', { name: 'hello-world', issueNumber: 1 }, 'org', 'octo-org', 'owner'],
  ['pr.view', repo, 'number', 1, 'prNumber'],
  ['pr.view', repo, 'pull_number', 1, 'prNumber'],
  ['pr.view', repo, 'pullRequestNumber', 1, 'prNumber'],
  ['pr.create', { ...repo, title: 'x', head: 'a' }, 'target', 'main', 'base'],
  ['issue.create', repo, 'titel', 'x', 'title'],
  ['issue.create', { ...repo, title: 'x' }, 'description', 'x', 'body'],
  ['issue.list', repo, 'per_page', 5, 'first'],
  ['issue.list', repo, 'limit', 5, 'first'],
  ['issue.list', repo, 'cursor', 'x', 'after'],
  ['issue.labels.add', { ...repo, issueNumber: 1 }, 'label', ['bug'], 'labels'],
  ['search.issues', {}, 'q', 'x', 'query'],
  ['npm.package.view', {}, 'package', 'left-pad', 'name'],
  ['prometheus.query', {}, 'expr', 'up', 'query'],
]

describe('an unknown member is answered with the one that was meant', () => {
  test.each(SLIPS)('%s %j %s', (id, rest, slip, value, right) => {
    const parse = (input: unknown) => cards.get(id)?.parseInput(input)
    const error = refuse(parse, { ...rest, [slip]: value })
    expect(MEANT.exec(adviceOn(error, slip) ?? '')?.[1]).toBe(right)
    expect(error.message).toContain(`Did you mean ${right} instead of "${slip}"?`)
  })

  test('inside a list too', () => {
    const card = cards.get('pr.reviews.submit')
    const comment = { path: 'a', line: 3, body: 'x', start_line: 2 }
    const input = { ...repo, prNumber: 1, event: 'COMMENT', comments: [comment] }
    const error = refuse(value => card?.parseInput(value), input)
    const path = 'comments.0.start_line'
    expect(adviceOn(error, path)).toMatch(/Did you mean startLine\?$/)
    expect(error.message).toContain(`Did you mean startLine instead of "${path}"?`)
  })

  test('by the name that the upstream has for it', () => {
    const schema = {
      type: 'object',
      properties: { text: {}, note: {} },
      additionalProperties: false,
    }
    const parse = compileInput('x', schema, () => new Map([['remark', 'text']]))
    expect(adviceOn(refuse(parse, { remark: 1 }), 'remark')).toMatch(/Did you mean text\?$/)
  })

  test.each([
    ['a name like no other', 'issue.view', { ...repo, issueNumber: 1 }, 'xyzzy', 1],
    ['a name whose member is there', 'issue.view', { ...repo, issueNumber: 1 }, 'number', 2],
    ['a very long name', 'issue.view', repo, 'issueNumber'.repeat(1000), 1],
  ])('but not for %s', (_what, id, rest, slip, value) => {
    const parse = (input: unknown) => cards.get(id)?.parseInput(input)
    expect(refuse(parse, { ...rest, [slip]: value }).message).not.toContain('Did you mean')
  })
})

describe('owner and name in one text are to be sent apart', () => {
  test.each([
    ['repo', 'octo-org/hello-world'],
    ['repository', 'https://github.com/octo-org/hello-world'],
    ['full_name', 'octo-org/hello-world'],
    ['nameWithOwner', 'octo-org/hello-world'],
    ['name', 'octo-org/hello-world'],
    ['owner', 'octo-org/hello-world'],
  ])('%s: %s', (slip, value) => {
    const parse = (input: unknown) => cards.get('issue.view')?.parseInput(input)
    const error = refuse(parse, { issueNumber: 1, [slip]: value })
    expect(adviceOn(error, slip)).toContain(APART)
    expect(error.message.split(APART)).toHaveLength(2)
  })

  test.each([
    ['input', { ...repo, issueNumber: 1 }, 'Send its members without "input" around them.'],
    ['arguments', { issueNumber: 1 }, 'Send its members without "arguments" around them.'],
    ['issue', { issueNumber: 1 }, 'Send its members without "issue" around them.'],
  ])('an input inside the member %s is unwrapped: %j', (wrapper, value, advice) => {
    const parse = (input: unknown) => cards.get('issue.view')?.parseInput(input)
    const error = refuse(parse, { [wrapper]: value })
    expect(adviceOn(error, wrapper)).toBe(`is not a known member. ${advice}`)
    expect(error.message).toContain(`Send the members of "${wrapper}" without it around them.`)
  })

  test.each([{}, { colour: 'red' }, { issueNumber: 1, colour: 'red' }, [1], 'text'])(
    'an unknown member that is no wrapper keeps its advice: %j',
    value => {
      const parse = (input: unknown) => cards.get('issue.view')?.parseInput(input)
      expect(refuse(parse, { input: value }).message).not.toContain('around them')
    },
  )

  test('a path is no such text', () => {
    const parse = (input: unknown) => cards.get('repo.contents.view')?.parseInput(input)
    const error = refuse(parse, { ...repo, file: 'src/index.ts' })
    expect(error.message).not.toContain(APART)
    expect(adviceOn(error, 'file')).toMatch(/Did you mean path\?$/)
  })
})
