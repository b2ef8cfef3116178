import { beforeAll, expect, test } from 'vitest'
import { SHIPPED_DIRECTORIES } from '../../src/cards/packs.ts'
import type { Card } from '../../src/model/card.ts'
import type { TextNode } from '../../src/model/texts.ts'
import { unstatedTexts } from '../../src/tools/check/unstated-texts.ts'
import { loadPacks, writePack } from '../support/packs.ts'

let shipped: readonly Card[]
beforeAll(async () => {
  shipped = [...(await loadPacks(SHIPPED_DIRECTORIES)).cards.values()]
})

/** Each text of strangers with its author, such as `items[].body: author`. */
function marksOf({ texts }: Card): readonly string[] {
  const found: string[] = []
  const walk = (node: TextNode | null) => {
    if (node === null) return
    const { mark, members, others, items } = node
    if (mark) {
      const { author, exact } = mark
      const by = author.kind === 'member' ? author.names.join('.') : author.kind
      found.push(`${mark.path}: ${by}${exact ? ', exact' : ''}`)
    }
    for (const member of members.values()) walk(member)
    walk(others)
    walk(items)
  }
  walk(texts.root)
  return found
}

function markedIn(id: string): readonly string[] {
  const card = shipped.find(one => one.id === id)
  if (!card) throw new Error(`there is no ${id}`)
  return marksOf(card)
}

test('every text of the shipped packs is by the service, or by somebody', () => {
  expect(shipped.filter(({ upstream }) => upstream.texts === null)).toEqual([])
  expect(unstatedTexts(shipped)).toEqual([])
})

test('every shipped rule is about a text that exists', () => {
  const upstreams = new Map(shipped.map(({ upstream }) => [upstream.id, upstream]))
  for (const { id, texts } of upstreams.values()) {
    const outputs = shipped.filter(card => card.upstream.id === id).map(card => card.output)
    const names = new Set(JSON.stringify(outputs).match(/"\w+"(?=:)/g))
    const stale = texts?.rules.flatMap(({ members }) =>
      members.flat().filter(name => !names.has(`"${name}"`)),
    )
    expect([id, stale]).toEqual([id, []])
  }
})

test.each([
  ['issue.view', ['title: author', 'body: author', 'milestone.title: writers']],
  ['issue.comments.list', ['items[].body: author']],
  ['discussion.view', ['answer.body: author']],
  ['pr.list', ['items[].headRefName: author']],
  ['pr.threads.list', ['items[].comments[].body: author', 'items[].path: anyone']],
  ['repo.commits.list', ['items[].message: anyone', 'items[].author.name: anyone']],
  ['repo.contents.view', ['content: writers, exact']],
  ['pr.diff.view', ['diff: anyone, exact']],
  ['workflow.job.logs.raw', ['log: anyone']],
  ['release.view', ['notes: writers']],
  ['repo.labels.list', ['items[].description: writers']],
  ['gist.view', ['files[].content: anyone, exact']],
  ['user.view', ['bio: anyone']],
  ['pr.checks.list', ['items[].name: anyone']],
  ['graphql.query', ['data: anyone']],
  ['prometheus.alerts', ['items[].annotations.*: anyone']],
])('%s marks %j', (id, marks) => {
  expect(markedIn(id)).toEqual(expect.arrayContaining(marks))
})

const UPSTREAM = 'id: shop\nrest: { base_url: "http://127.0.0.1:9" }\n'

/** The card of a shop whose notes and names come from customers. */
async function shopCard(upstream: string, card = '') {
  const pack = await writePack({
    'upstream.yaml': `${UPSTREAM}${upstream}`,
    'part.view.yaml': `id: part.view
version: 1.0.0
description: Show a part.
effect: read
input: { type: object }
output:
  type: object
  properties:
    note: { type: string }
    author: { type: string }
    state: { type: string, enum: [new, old] }
    made: { type: string, format: date-time }
    more: { type: object }
prefer: [rest]
routes: { rest: { method: GET, path: /part, result: body } }
${card}`,
  })
  const { problems, cards } = await loadPacks([pack])
  const found = cards.get('part.view')
  return {
    problems: problems.map(({ message }) => message),
    warnings: unstatedTexts([...cards.values()]).map(({ message }) => message),
    marks: found ? marksOf(found) : [],
  }
}

test('without a statement, every free text may be by anybody, and check says nothing', async () => {
  expect(await shopCard('')).toEqual({
    problems: [],
    warnings: [],
    marks: ['note: anyone', 'author: anyone', 'more: anyone'],
  })
})

test('check warns of the texts that no rule names', async () => {
  const { warnings, marks } = await shopCard(
    'texts: { rules: [{ by: service, members: [author] }, { by: author, members: [note] }] }\n',
  )
  expect(marks).toEqual(['note: author', 'more: anyone'])
  expect(warnings).toEqual(['output does not say who writes more'])
})

test('the rules of a card come before those of its upstream', async () => {
  const { marks } = await shopCard(
    'texts: { rules: [{ by: service, members: [note, author, more] }] }\n',
    'untrusted: [more, { path: note, by: author, exact: true }]\n',
  )
  expect(marks).toEqual(['note: author, exact', 'more: anyone'])
})

test.each([
  ['a member that the output lacks', 'untrusted: [nothing.here]', /^untrusted\.0 names nothing/],
  ['an unknown key', 'untrusted: [{ path: note, from: x }]', /^untrusted\.0/],
  [
    'a name out of scope',
    'untrusted: [{ path: note, when: data.x }]',
    /^untrusted\.0\.when reads "data"/,
  ],
])('a card that names %s is refused', async (_, card, message) => {
  expect((await shopCard('', `${card}\n`)).problems).toEqual([expect.stringMatching(message)])
})
