import type { NewCommit, Store } from '../../../../sandbox/index.ts'
import type { ManyItemsByCapability, ParityCases } from '../../case.ts'
import { filteredCommits, filteredTags } from '../../filters/git.ts'
import { addFolderLinks, pathsBelowLinks } from '../../link-world.ts'
import { hello, repositoryIn, spoon, times, userIn } from '../../worlds.ts'

const attic = { owner: 'octo-org', name: 'attic' }
const nothing = { owner: 'octo-org', name: 'nothing-here' }
const fresh = { owner: 'octocat', name: 'fresh' }

/** A repository without commits. */
function addEmpty(store: Store): void {
  store.repositories.create({ owner: userIn(store), name: 'fresh' }, false)
}

function commit(store: Store, changes: NewCommit['changes'], branch = 'main') {
  const author = userIn(store, 'hubot')
  return store.git.commit(repositoryIn(store), { author, message: 'Changes', changes, branch })
}

function addLinks(store: Store): void {
  commit(store, {
    'docs/current': { link: '../VERSION' },
    'docs/broken': { link: '../no/such/file' },
    'docs/folder': { link: '../src' },
  })
}

function addSlashed(store: Store): void {
  store.git.createRef(repositoryIn(store), 'refs/heads/feature/one', headOf(store))
}

function headOf(store: Store, branch = 'main'): string {
  return store.git.branch(repositoryIn(store), branch)?.oid ?? ''
}

const put = { ...hello, path: 'notes/today.md', message: 'Note', content: 'Überall.\n' }
const greet = { ...put, path: 'src/greet.ts' }
const shaOf = (store: Store, revision: string) =>
  store.git.object(repositoryIn(store), revision)?.oid ?? ''

export const cases: ParityCases = {
  'repo.contents.view': [
    { input: { ...hello, path: 'README.md' } },
    { input: { ...hello, path: 'src/greet.ts', ref: 'topic-4' } },
    { input: { ...hello, path: 'VERSION', ref: 'v1.0.0-rc.1' }, title: 'at an annotated tag' },
    { input: store => ({ ...hello, path: 'VERSION', ref: headOf(store) }), title: 'at a commit' },
    {
      input: { ...hello, path: 'docs/assets/logo.png' },
      title: 'a picture',
      except: { graphql: 'gives text only' },
    },
    {
      input: { ...hello, path: 'odd names/ü & 100%.txt' },
      given: store => void commit(store, { 'odd names/ü & 100%.txt': '\u{feff}with a mark\r\n' }),
    },
    { input: { ...hello, path: 'empty' }, given: store => void commit(store, { empty: '' }) },
    {
      input: { ...hello, path: 'latin1.txt' },
      title: 'text that is not UTF-8',
      given: store => void commit(store, { 'latin1.txt': Buffer.from([0x66, 0xfc, 0x72]) }),
      except: { graphql: 'is not UTF-8' },
    },
    {
      input: { ...hello, path: 'large.txt' },
      title: 'more than a megabyte',
      given: store => void commit(store, { 'large.txt': 'x'.repeat(1_100_000) }),
      except: { graphql: 'cuts the text' },
    },
    {
      input: { ...hello, path: 'docs/current' },
      title: 'a symbolic link to a file',
      given: addLinks,
      answers: {
        look: data => [data.symbolicLink, data.content !== '../VERSION'],
        see: [true, true],
      },
      except: { graphql: 'does not follow links' },
    },
    {
      input: { ...hello, path: 'docs/broken' },
      title: 'a symbolic link to nothing',
      given: addLinks,
      except: { graphql: 'does not follow links' },
      fails: 'NOT_FOUND',
    },
    { input: { ...hello, path: 'src' }, title: 'a folder', fails: 'NOT_FOUND' },
    { input: { ...hello, path: 'no/such/file' }, fails: 'NOT_FOUND' },
    { input: { ...hello, path: 'README.md', ref: 'no-such-branch' }, fails: 'NOT_FOUND' },
    { input: { ...nothing, path: 'README.md' }, fails: 'NOT_FOUND' },
    { input: { ...hello, path: '../../../user' }, fails: 'VALIDATION' },
    { input: { ...hello, path: 'src/./greet.ts' }, fails: 'VALIDATION' },
    { input: { ...hello, path: 'README.md', ref: 'main:src' }, fails: 'VALIDATION' },
  ],
  'repo.contents.put': [
    { input: put },
    { input: { ...put, branch: 'topic-4', message: 'Note\n\nWith a body.\nTwo lines.' } },
    { input: { ...put, content: 'AAEC', encoding: 'base64' }, title: 'bytes' },
    {
      input: { ...put, content: 'AAE', encoding: 'base64' },
      title: 'no Base64',
      fails: 'VALIDATION',
    },
    {
      input: store => ({ ...greet, sha: shaOf(store, 'main:src/greet.ts') }),
      title: 'over what is there',
    },
    { input: { ...greet, sha: '0'.repeat(40) }, title: 'over an older state', fails: 'CONFLICT' },
    ...['current', 'broken', 'folder'].map(name => ({
      input: (store: Store) => ({
        ...put,
        path: `docs/${name}`,
        sha: shaOf(store, `main:docs/${name}`),
      }),
      title: `over the symbolic link ${name}`,
      given: addLinks,
      fails: 'VALIDATION' as const,
    })),
    {
      input: { ...put, path: 'docs/current' },
      title: 'over a symbolic link, without its sha',
      given: addLinks,
      fails: 'VALIDATION',
    },
    ...pathsBelowLinks.map(path => ({
      input: { ...put, path },
      title: `below a symbolic link or a file: ${path}`,
      given: addFolderLinks,
      fails: 'VALIDATION' as const,
    })),
    {
      input: store => ({
        ...put,
        path: 'docs/folder/greet.ts',
        sha: shaOf(store, 'main:src/greet.ts'),
      }),
      title: 'below a symbolic link, with the sha of the file there',
      given: addFolderLinks,
      fails: 'VALIDATION',
    },
    { input: { ...put, path: 'new/deep/er.md' }, title: 'in new folders' },
    { input: { ...put, path: 'top.md' }, title: 'in no folder' },
    {
      input: { ...put, path: 'no/such/file', sha: '0'.repeat(40) },
      title: 'over nothing',
      fails: 'CONFLICT',
    },
    { input: greet, title: 'over a file, without its sha', fails: 'VALIDATION' },
    { input: { ...put, path: 'src' }, title: 'over a folder', fails: 'VALIDATION' },
    { input: { ...put, branch: 'no-such-branch' }, fails: 'NOT_FOUND' },
    { input: { ...put, ...attic }, title: 'in an archived repository', fails: 'FORBIDDEN' },
    {
      input: { ...put, ...fresh },
      title: 'the first file of a repository',
      given: addEmpty,
      except: { graphql: 'commits only on top of a branch' },
    },
    { input: { ...put, message: 'Two\nheadlines' }, fails: 'VALIDATION' },
    { input: { ...put, path: 'a/../b' }, fails: 'VALIDATION' },
  ],
  'repo.tree.list': [
    { input: hello },
    { input: { ...hello, path: 'src/parts', first: 3 } },
    { input: { ...hello, ref: 'v1.0.0-rc.1', path: 'docs' } },
    {
      input: { ...hello, recursive: true, first: 100 },
      except: { graphql: 'one folder at a time' },
    },
    {
      input: { ...hello, recursive: true, path: 'docs' },
      except: { graphql: 'one folder at a time' },
    },
    { input: { ...hello, path: 'README.md' }, title: 'a file', fails: 'NOT_FOUND' },
    { input: { ...hello, path: 'nowhere' }, fails: 'NOT_FOUND' },
    { input: { ...hello, ref: 'nowhere' }, fails: 'NOT_FOUND' },
    { input: fresh, title: 'an empty repository', given: addEmpty, fails: 'NOT_FOUND' },
  ],
  'repo.branches.list': [
    { input: hello },
    {
      input: { ...hello, prefix: 'zulu', first: 1 },
      title: 'those with a prefix, behind many others',
      given: store => {
        const oid = headOf(store, 'main')
        const add = (name: string) =>
          store.git.createRef(repositoryIn(store), `refs/heads/${name}`, oid)
        times(150, number => add(`b-${number}`))
        for (const name of ['zulu', 'zulu-time', 'not-zulu']) add(name)
      },
      answers: { look: ({ items }) => items[0].name, see: 'zulu' },
    },
    { input: { ...hello, prefix: 'no such', first: 1 }, title: 'a prefix of none' },
    { input: { ...hello, first: 2 } },
    { input: fresh, title: 'none', given: addEmpty },
    { input: nothing, fails: 'NOT_FOUND' },
  ],
  'repo.branch.create': [
    { input: { ...hello, branch: 'new' } },
    { input: { ...hello, branch: 'feature/one.two', from: 'topic-4' } },
    { input: { ...hello, branch: 'new', from: 'v1.0.0-rc.1' }, title: 'from an annotated tag' },
    { input: store => ({ ...hello, branch: 'new', from: headOf(store, 'topic-8') }) },
    { input: { ...hello, branch: 'topic-4' }, title: 'one that is there', fails: 'CONFLICT' },
    { input: { ...hello, branch: 'new', from: 'nowhere' }, fails: 'NOT_FOUND' },
    { input: { ...attic, branch: 'new' }, title: 'in an archived repository', fails: 'FORBIDDEN' },
    {
      input: { ...fresh, branch: 'new' },
      given: addEmpty,
      title: 'of nothing',
      fails: 'NOT_FOUND',
    },
    { input: { ...hello, branch: 'a..b' }, fails: 'VALIDATION' },
    { input: { ...hello, branch: '--delete' }, fails: 'VALIDATION' },
  ],
  'repo.branch.delete': [
    { input: { ...hello, branch: 'topic-4' } },
    { input: store => ({ ...hello, branch: 'topic-8', sha: headOf(store, 'topic-8') }) },
    { input: { ...hello, branch: 'feature/one' }, given: addSlashed, title: 'with a slash' },
    {
      input: { ...hello, branch: 'topic-8', sha: '0'.repeat(40) },
      title: 'one that has moved',
      fails: 'CONFLICT',
    },
    { input: { ...hello, branch: 'nowhere' }, fails: 'NOT_FOUND' },
    { input: { ...attic, branch: 'main' }, title: 'in an archived repository', fails: 'FORBIDDEN' },
    { input: { ...hello, branch: '--force' }, fails: 'VALIDATION' },
  ],
  'repo.commits.list': [
    { input: hello },
    { input: { ...hello, ref: 'topic-8', first: 3 } },
    { input: { ...hello, ref: 'v1.0.0-rc.1', first: 1 }, title: 'to an annotated tag' },
    { input: { ...hello, path: 'src/parts/part-16.ts' } },
    { input: { ...hello, since: '2026-01-05T00:00:00Z', until: '2026-01-10T16:00:00Z' } },
    { input: { ...hello, path: 'nowhere' }, title: 'an empty list' },
    ...filteredCommits,
    { input: { ...hello, ref: 'nowhere' }, fails: 'NOT_FOUND' },
    { input: fresh, given: addEmpty, title: 'of an empty repository', fails: 'NOT_FOUND' },
    { input: nothing, fails: 'NOT_FOUND' },
  ],
  'repo.commit.view': [
    { input: { ...hello, ref: 'main' } },
    { input: { ...hello, ref: 'v0.2.0' } },
    { input: { ...hello, ref: 'v1.0.0-rc.1' }, title: 'behind an annotated tag' },
    {
      input: store => ({ ...hello, ref: headOf(store, 'topic-4').slice(0, 10) }),
      title: 'in short',
    },
    {
      input: store => {
        const merge = store.git
          .history(repositoryIn(store), headOf(store))
          .find(it => it.parents.length > 1)
        return { ...hello, ref: merge?.oid ?? '' }
      },
      title: 'a merge',
    },
    { input: { ...spoon, ref: 'HEAD' }, title: 'the first one' },
    { input: { ...attic, ref: 'HEAD' }, title: "one by nobody's account" },
    { input: { ...hello, ref: 'nowhere' }, fails: 'NOT_FOUND' },
    { input: { ...hello, ref: '0'.repeat(40) }, fails: 'NOT_FOUND' },
  ],
  'repo.compare': [
    { input: { ...hello, base: 'main', head: 'topic-4' } },
    { input: { ...hello, base: 'v0.1.0', head: 'v0.3.0' } },
    { input: { ...hello, base: 'main', head: 'main' } },
    { input: { ...hello, base: 'main', head: 'v0.1.0' }, title: 'behind' },
    {
      input: { ...hello, base: 'main', head: 'work' },
      title: 'files of all kinds',
      given: store =>
        void commit(
          store,
          {
            'src/greet.ts': null,
            'docs/assets/logo.png': Buffer.from([0, 1]),
            VERSION: null,
            V: 'v1.0.0-rc.1\n',
          },
          'work',
        ),
    },
    {
      input: { ...hello, base: 'main', head: 'work' },
      title: 'more than GitHub shows',
      given: store => {
        times(260, number => void commit(store, { log: `${number}\n` }, 'work'))
        const files = Array.from({ length: 310 }, (_, index) => [`many/${index}`, `${index}\n`])
        commit(store, Object.fromEntries(files), 'work')
      },
    },
    { input: { ...hello, base: 'main', head: 'nowhere' }, fails: 'NOT_FOUND' },
    { input: { ...hello, base: 'main', head: 'a...b' }, fails: 'VALIDATION' },
  ],
  'repo.tags.list': [
    { input: hello },
    ...filteredTags,
    { input: { ...hello, first: 2 } },
    { input: spoon, title: 'none' },
    { input: nothing, fails: 'NOT_FOUND' },
  ],
}

export const manyItems: ManyItemsByCapability = {
  'repo.tree.list': {
    given: store => {
      const files = Array.from({ length: 230 }, (_, index) => [`many/${index}`, `${index}\n`])
      commit(store, Object.fromEntries(files))
    },
    input: { ...hello, path: 'many' },
    count: 230,
  },
  'repo.branches.list': {
    given: store => {
      const oid = store.git.branch(repositoryIn(store, spoon), 'main')?.oid ?? ''
      times(231, number => {
        store.git.createRef(repositoryIn(store, spoon), `refs/heads/b-${number}`, oid)
      })
    },
    input: spoon,
    count: 232,
  },
  'repo.tags.list': {
    given: store => {
      const oid = store.git.branch(repositoryIn(store, spoon), 'main')?.oid ?? ''
      times(231, number => {
        store.git.createTag(repositoryIn(store, spoon), { name: `t-${number}`, oid })
      })
    },
    input: spoon,
    count: 231,
  },
  'repo.commits.list': {
    given: store => times(231, number => void commit(store, { log: `${number}\n` })),
    input: { ...hello, path: 'log' },
    count: 231,
  },
}
