import { describe, expect, test } from 'vitest'
import {
  type PullRequest,
  type Repository,
  Store,
  seedDefault,
  type User,
} from '../../sandbox/index.ts'
import { unifiedDiff } from '../../sandbox/store/git/diff.ts'
import { ObjectDatabase } from '../../sandbox/store/git/objects.ts'

describe('object names', () => {
  // The expected names come from a real git: `hash-object`, `mktree` and `commit-tree`.
  test('equal those of git', () => {
    const objects = new ObjectDatabase()
    const blob = objects.add({ type: 'blob', data: Buffer.from('hello\n') })
    const tree = objects.add({ type: 'tree', data: [{ name: 'a.txt', mode: '100644', oid: blob }] })
    const who = { name: 'Ada', email: 'ada@example.test', seconds: 1_767_323_045 }
    const commit = objects.add({
      type: 'commit',
      data: { tree, parents: [], author: who, committer: who, message: 'First' },
    })
    expect([blob, tree, commit]).toEqual([
      'ce013625030ba8dba906f756967f9e9ca394464a',
      '2e81171448eb9f2ee3821e3d447aa6b2fe3ddba1',
      'de7faeb9eac5f212197fa2b47c012000aeb86a4b',
    ])
  })

  test('sort a folder as if its name ended in a slash', () => {
    const { store, repository, user } = world()
    const changes = { 'a/b': '1', 'a.txt': '2', ab: '3' }
    const { tree } = store.git.commit(repository, { author: user, message: 'm', changes })
    const names = store.git
      .of(repository)
      .objects.tree(tree)
      .map(({ name }) => name)
    expect(names).toEqual(['README.md', 'a.txt', 'a', 'ab'])
  })
})

describe('the seed', () => {
  test('gives every pull request commits and files that match its counts', () => {
    const { store } = world()
    const hello = find(store, 'octo-org', 'hello-world')
    for (const pull of pullsOf(hello)) {
      const { number, commitCount, additions, deletions, changedFiles, head } = pull
      expect({ commitCount, additions, deletions, changedFiles }).toEqual({
        commitCount: 1,
        additions: number * 3,
        deletions: number,
        changedFiles: 2,
      })
      expect(store.git.branch(hello, `topic-${number}`)?.oid).toBe(head.sha)
    }
  })

  test('has really merged its merged pull requests', () => {
    const { store } = world()
    const hello = find(store, 'octo-org', 'hello-world')
    const history = store.git.history(hello, store.git.of(hello).head as string).map(it => it.oid)
    for (const pull of pullsOf(hello)) {
      expect(history.includes(pull.head.sha), `#${pull.number}`).toBe(pull.mergedAt !== null)
    }
  })
})

describe('revisions', () => {
  test.each(['HEAD', 'main', 'heads/main', 'refs/heads/main'])('%s is the default branch', name => {
    const { store } = world()
    const hello = find(store, 'octo-org', 'hello-world')
    expect(store.git.object(hello, name)?.oid).toBe(store.git.branch(hello, 'main')?.oid)
  })

  test('can use ~ and ^, short names and paths', () => {
    const { store } = world()
    const hello = find(store, 'octo-org', 'hello-world')
    const log = store.git.history(hello, store.git.of(hello).head as string)
    expect(store.git.object(hello, 'main~2')?.oid).toBe(log[2]?.oid)
    expect(store.git.object(hello, 'main~1^')?.oid).toBe(log[2]?.oid)
    expect(store.git.object(hello, log[2]?.oid.slice(0, 7) ?? '')?.oid).toBe(log[2]?.oid)
    expect(store.git.object(hello, 'main:src/greet.ts')?.kind).toBe('Blob')
    expect(store.git.object(hello, 'main:src')?.kind).toBe('Tree')
    expect(store.git.object(hello, 'main:nowhere')).toBeUndefined()
  })

  test('resolve an annotated tag to its commit', () => {
    const { store } = world()
    const hello = find(store, 'octo-org', 'hello-world')
    expect(store.git.object(hello, 'v1.0.0-rc.1')?.kind).toBe('Tag')
    expect(store.git.commitOf(hello, 'v1.0.0-rc.1')?.message).toBe('Release v1.0.0-rc.1')
  })
})

test('a comparison counts commits since the merge base', () => {
  const { store, repository, user } = world()
  const root = store.git.branch(repository, 'main')?.oid as string
  const common = { author: user, message: 'm' }
  store.git.commit(repository, { ...common, changes: { ours: '1\n' } })
  store.git.commit(repository, { ...common, changes: { theirs: '1\n' }, branch: 'b', from: root })
  store.git.commit(repository, { ...common, changes: { theirs: '2\n' }, branch: 'b' })
  const oid = (name: string) => store.git.branch(repository, name)?.oid as string
  const comparison = store.git.compare(repository, oid('main'), oid('b'))
  expect(comparison).toMatchObject({ status: 'diverged', aheadBy: 2, behindBy: 1 })
  expect(comparison?.mergeBase.oid).toBe(root)
  expect(comparison?.files.map(({ path, status }) => [path, status])).toEqual([['theirs', 'added']])
})

test('a diff equals the output of git', () => {
  const { store, repository, user } = world()
  const common = { author: user, message: 'm' }
  store.git.commit(repository, {
    ...common,
    changes: { 'a.txt': 'one\ntwo', gone: 'x\n', moved: 'long\n', 'b.bin': Buffer.from([0, 1]) },
  })
  const before = store.git.of(repository).head as string
  const after = store.git.commit(repository, {
    ...common,
    changes: {
      'a.txt': 'one\nthree\n',
      gone: null,
      moved: null,
      to: 'long\n',
      'b.bin': Buffer.from([0, 2]),
      new: 'n\n',
    },
  }).oid
  expect(unifiedDiff(store.git.of(repository).changes(before, after))).toBe(gitsOwnDiff)
})

describe('a merge', () => {
  const lines = (...changed: string[]) =>
    Array.from({ length: 20 }, (_, index) => `${changed[index] ?? index}\n`).join('')

  test('combines both sides of a file when they change distant lines', () => {
    const { store, repository, user } = diverged({ f: lines('x') }, { f: `${lines()}end\n` })
    const outcome = store.git.merge(repository, mergeOf(store, repository, user))
    expect(outcome).toMatchObject({ ok: true, isUpToDate: false })
    const merged = store.git.of(repository)
    const file = merged.resolve('main:f') as string
    expect(merged.objects.blob(file).toString()).toBe(`${lines('x')}end\n`)
    expect(store.git.commitOf(repository, 'main')?.parents).toHaveLength(2)
  })

  test.each([
    ['both sides changed the same line', { f: lines('x') }, { f: lines('y') }],
    ['one side changed what the other deleted', { f: lines('x') }, { f: null }],
    ['both sides added a file of one name', { g: '1\n' }, { g: '2\n' }],
  ])('is refused when %s', (_title, ours, theirs) => {
    const { store, repository, user } = diverged(ours, theirs)
    const before = store.git.branch(repository, 'main')?.oid
    const outcome = store.git.merge(repository, mergeOf(store, repository, user))
    expect(outcome).toEqual({ ok: false, conflicts: [Object.keys(theirs)[0]] })
    expect(store.git.branch(repository, 'main')?.oid).toBe(before)
  })

  test.each([
    ['squash', ['m']],
    ['rebase', ['theirs', 'theirs again']],
  ] as const)('by %s keeps one line of history', (method, messages) => {
    const { store, repository, user } = diverged({ ours: '1' }, { theirs: '1' })
    store.git.commit(repository, {
      author: user,
      message: 'theirs again',
      changes: { theirs: '2' },
      branch: 'b',
    })
    const before = store.git.branch(repository, 'main')?.oid
    store.git.merge(repository, { ...mergeOf(store, repository, user), method })
    const log = store.git.history(repository, store.git.branch(repository, 'main')?.oid as string)
    const added = log.slice(
      0,
      log.findIndex(({ oid }) => oid === before),
    )
    expect(added.map(({ message }) => message).toReversed()).toEqual(messages)
    expect(added.every(({ parents }) => parents.length === 1)).toBe(true)
  })

  function diverged(ours: Record<string, string | null>, theirs: Record<string, string | null>) {
    const made = world()
    const { store, repository, user } = made
    const base = { author: user, message: 'base', changes: { f: lines() } }
    const { oid } = store.git.commit(repository, base)
    store.git.commit(repository, { author: user, message: 'ours', changes: ours })
    store.git.commit(repository, {
      author: user,
      message: 'theirs',
      changes: theirs,
      branch: 'b',
      from: oid,
    })
    return made
  }

  function mergeOf(store: Store, repository: Repository, by: User) {
    const head = store.git.branch(repository, 'b')?.oid as string
    return { into: 'main', head, by, message: 'm' }
  }
})

test('a push to the head of an open pull request updates it', () => {
  const { store, repository, user } = world()
  const pull = store.pullRequests.add(repository, { title: 't', author: user, head: 'topic' })
  const changes = { another: '1\n2\n' }
  const { oid } = store.git.commit(repository, {
    author: user,
    message: 'm',
    changes,
    branch: 'topic',
  })
  expect(pull).toMatchObject({ commitCount: 2, additions: 3, changedFiles: 2 })
  expect(pull.head.sha).toBe(oid)
})

test('a global id finds its commit, tree, blob or ref', () => {
  const { store, repository } = world()
  for (const revision of ['main', 'main:README.md', 'main:']) {
    const node = store.git.object(repository, revision)
    expect(store.node(node?.nodeId ?? '')).toEqual(node)
  }
  const ref = store.git.branch(repository, 'main')
  expect(store.node(ref?.nodeId ?? '')).toEqual(ref)
})

function world() {
  const store = new Store(() => Date.UTC(2026, 1, 1))
  seedDefault(store)
  const user = store.accounts.findUser('octocat') as User
  const repository = store.repositories.add({ owner: user, name: 'fresh' })
  return { store, user, repository }
}

function find(store: Store, owner: string, name: string): Repository {
  return store.repositories.find(owner, name) as Repository
}

function pullsOf(repository: Repository): PullRequest[] {
  return [...repository.items.values()].filter(item => item.kind === 'PullRequest')
}

const gitsOwnDiff = `diff --git a/a.txt b/a.txt
index 9ed40b4..4c7442b 100644
--- a/a.txt
+++ b/a.txt
@@ -1,2 +1,2 @@
 one
-two
\\ No newline at end of file
+three
diff --git a/b.bin b/b.bin
index bdc955b..8835708 100644
Binary files a/b.bin and b/b.bin differ
diff --git a/gone b/gone
deleted file mode 100644
index 587be6b..0000000
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/new b/new
new file mode 100644
index 0000000..8ba3a16
--- /dev/null
+++ b/new
@@ -0,0 +1 @@
+n
diff --git a/moved b/to
similarity index 100%
rename from moved
rename to to
`
