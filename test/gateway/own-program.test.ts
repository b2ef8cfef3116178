import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { startTestGateway } from '../support/gateway.ts'
import { loadPacks, writePack } from '../support/packs.ts'

const CARD = `
id: commit.view
version: 1.0.0
description: Show a commit.
effect: read
input:
  type: object
  required: [rev]
  properties: { rev: { type: string, pattern: "^[^-]", maxLength: 200 } }
output:
  type: object
  required: [author, title]
  properties: { author: { type: string }, title: { type: string } }
prefer: [cli]
routes:
  cli:
    global_options: { no-pager: true }
    command: [show, --no-patch, "--format=%an,%s"]
    positionals: [input.rev]
    bare_positionals: true
    parse: csv
    csv: { columns: [author, title] }
    result: "body[0]"
`

/** A pack that reads a repository with git, and the repository. */
async function makePack(card: string) {
  const repository = await writePack({ 'a.txt': 'a' })
  const identity = ['-c', 'user.name=Zoë', '-c', 'user.email=z@example.com']
  const git = (...args: string[]) => execFileSync('git', ['-C', repository, ...identity, ...args])
  git('init', '-q')
  git('add', '.')
  git('commit', '-q', '-m', 'Begin')
  const upstream = `id: git\ncli: { command: git, cwd: "${repository}" }\n`
  return await writePack({ 'upstream.yaml': upstream, 'commit.view.yaml': card })
}

test('a program reads a repository, with a revision that it could not take behind --', async () => {
  const pack = await makePack(CARD)
  await using gateway = await startTestGateway({ settings: { capabilities: [pack] } })
  const { body } = await gateway.call('commit.view', { rev: 'HEAD' })
  expect(body).toMatchObject({ ok: true, data: { author: 'Zoë', title: 'Begin' } })
  const hostile = await gateway.call('commit.view', { rev: '--output=/tmp/x' })
  expect(hostile.body.error).toMatchObject({ code: 'VALIDATION', next: { fields: ['rev'] } })
})

test('a schema that allows a leading dash stops the start', async () => {
  const pack = await makePack(CARD.replace('pattern: "^[^-]"', 'minLength: 1'))
  const { problems } = await loadPacks([pack])
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringContaining('positionals.0 may begin with a dash'),
  ])
})
