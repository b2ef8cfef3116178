import type { NewCommit, Store } from '../../../../sandbox/index.ts'
import type { ParityCases } from '../../case.ts'
import { addFolderLinks, pathsBelowLinks } from '../../link-world.ts'
import { attic, hello, repositoryIn, userIn } from '../../worlds.ts'

function commit(store: Store, changes: NewCommit['changes']): void {
  const author = userIn(store, 'hubot')
  store.git.commit(repositoryIn(store), { author, message: 'Changes', changes })
}

function addLinks(store: Store): void {
  commit(store, { 'docs/current': { link: '../VERSION' }, 'docs/folder': { link: '../src' } })
}

const shaOf = (store: Store, revision: string) =>
  store.git.object(repositoryIn(store), revision)?.oid ?? ''

/** The texts of files on `main`; null for one that does not exist. */
const texts =
  (...paths: string[]) =>
  (store: Store) =>
    paths.map(path => {
      const { objects } = store.git.of(repositoryIn(store))
      const oid = shaOf(store, `main:${path}`)
      return oid ? objects.blob(oid).toString() : null
    })

const several = { ...hello, branch: 'main', message: 'Several\n\nAll at once.' }
const write = { path: 'notes/über.md', content: 'Überall.\n' }
const remove = { ...hello, path: 'src/greet.ts', message: 'Away' }

export const cases: ParityCases = {
  'repo.commit.create': [
    {
      input: {
        ...several,
        changes: [
          { path: 'x', content: '1' },
          { path: 'x/y/z', content: '2' },
        ],
      },
      title: 'a file, and another below its path',
      fails: 'VALIDATION',
    },
    {
      input: {
        ...several,
        changes: [
          { path: 'a/b', from: 'README.md' },
          { path: 'a', content: '' },
        ],
      },
      title: 'a file that moves below another',
      fails: 'VALIDATION',
    },
    {
      input: { ...several, changes: [{ path: 'x', content: 'no Base64!', encoding: 'base64' }] },
      title: 'no Base64',
      fails: 'VALIDATION',
    },
    {
      input: store => ({
        ...several,
        expectedHead: shaOf(store, 'main'),
        changes: [
          write,
          { path: 'src/greet.ts', content: '' },
          { path: 'src/bytes.bin', content: 'AAEC', encoding: 'base64' },
          { path: 'src/main.ts', from: 'src/index.ts' },
          { path: 'README.md', delete: true },
        ],
      }),
      title: 'of every kind',
      leaves: {
        look: texts('notes/über.md', 'src/greet.ts', 'src/bytes.bin', 'src/index.ts', 'README.md'),
        see: ['Überall.\n', '', '\0\x01\x02', null, null],
      },
    },
    {
      input: { ...several, expectedHead: '0'.repeat(40), changes: [write] },
      title: 'on another commit',
      fails: 'CONFLICT',
    },
    { input: { ...several, branch: 'topic-4', message: 'One', changes: [write] } },
    {
      input: { ...several, changes: [{ path: 'docs/current', content: 'x' }] },
      given: addLinks,
      title: 'over a symbolic link',
      fails: 'VALIDATION',
    },
    ...pathsBelowLinks.map(path => ({
      input: { ...several, changes: [write, { path, content: 'x' }] },
      given: addFolderLinks,
      title: `below a symbolic link or a file: ${path}`,
      fails: 'VALIDATION' as const,
    })),
    {
      input: { ...several, changes: [{ path: 'docs/folder/moved.ts', from: 'src/greet.ts' }] },
      given: addFolderLinks,
      title: 'moving below a symbolic link',
      fails: 'VALIDATION',
    },
    {
      input: { ...several, changes: [{ path: 'docs/folder/greet.ts', delete: true }] },
      given: addFolderLinks,
      title: 'deleting below a symbolic link',
      fails: 'VALIDATION',
    },
    {
      input: { ...several, changes: [{ path: 'new/deep/er.md', content: 'x' }] },
      title: 'in new folders',
    },
    {
      input: { ...several, changes: [{ path: 'src', content: 'x' }] },
      title: 'over a folder',
      fails: 'VALIDATION',
    },
    {
      input: { ...several, changes: [{ path: 'VERSION', from: 'README.md' }] },
      title: 'moving over a file',
      fails: 'VALIDATION',
    },
    {
      input: { ...several, changes: [{ path: 'docs/now', from: 'docs/current' }] },
      given: addLinks,
      title: 'moving a symbolic link',
      except: { graphql: 'writes only plain files' },
    },
    {
      input: { ...several, changes: [{ path: 'logo.png', from: 'docs/assets/logo.png' }] },
      title: 'moving bytes',
      except: { graphql: 'shows no bytes' },
    },
    {
      input: { ...several, changes: [{ path: 'nowhere', delete: true }] },
      title: 'deleting nothing',
      fails: 'VALIDATION',
    },
    {
      input: { ...several, changes: [write, { ...write, content: 'Other.' }] },
      title: 'a path twice',
      fails: 'VALIDATION',
    },
    { input: { ...several, changes: [{ path: 'a' }] }, fails: 'VALIDATION' },
    { input: { ...several, branch: 'nowhere', changes: [write] }, fails: 'NOT_FOUND' },
    { input: { ...several, ...attic, changes: [write] }, fails: 'FORBIDDEN' },
  ],
  'repo.contents.delete': [
    { input: store => ({ ...remove, sha: shaOf(store, 'main:src/greet.ts') }) },
    { input: { ...remove, sha: '0'.repeat(40) }, title: 'one that has changed', fails: 'CONFLICT' },
    {
      input: store => ({
        ...remove,
        branch: 'topic-4',
        message: 'Away\n\nWith a body.',
        sha: shaOf(store, 'topic-4:src/greet.ts'),
      }),
      title: 'on a branch',
    },
    {
      input: store => ({
        ...remove,
        path: 'docs/current',
        sha: shaOf(store, 'main:docs/current'),
      }),
      given: addLinks,
      title: 'a symbolic link itself',
      leaves: { look: texts('docs/current', 'VERSION'), see: [null, 'v1.0.0-rc.1\n'] },
    },
    {
      input: store => ({
        ...remove,
        path: 'docs/folder/greet.ts',
        sha: shaOf(store, 'main:src/greet.ts'),
      }),
      given: addFolderLinks,
      title: 'below a symbolic link',
      fails: 'NOT_FOUND',
    },
    {
      input: { ...remove, path: 'src', sha: '0'.repeat(40) },
      title: 'a folder',
      fails: 'VALIDATION',
    },
    {
      input: { ...remove, path: 'nowhere', sha: '0'.repeat(40) },
      fails: 'NOT_FOUND',
    },
    {
      input: { ...remove, branch: 'nowhere', sha: '0'.repeat(40) },
      title: 'on no branch',
      fails: 'NOT_FOUND',
    },
    { input: { ...remove, path: 'a/../b', sha: '0'.repeat(40) }, fails: 'VALIDATION' },
  ],
  'repo.blame.view': [
    { input: { ...hello, path: 'src/parts/part-16.ts' }, title: 'by several' },
    { input: { ...hello, path: 'nowhere' }, fails: 'NOT_FOUND' },
    { input: { ...hello, path: 'VERSION', ref: 'v1.0.0-rc.1' }, title: 'at an annotated tag' },
    { input: { ...hello, path: 'src' }, title: 'of a folder', fails: 'NOT_FOUND' },
    { input: { ...hello, path: 'README.md', ref: 'nowhere' }, fails: 'NOT_FOUND' },
  ],
  'repo.codeowners.errors.list': [
    {
      input: hello,
      given: store => commit(store, { CODEOWNERS: '# All\n* @octocat @nobody\n!src @hubot\n' }),
      answers: {
        look: ({ items }) => items.map(({ line }: { line: number }) => line),
        see: [2, 3],
      },
    },
    { input: hello, title: 'without the file', fails: 'NOT_FOUND' },
    {
      input: { ...hello, ref: 'main' },
      given: store => commit(store, { '.github/CODEOWNERS': '* @octocat\n' }),
      title: 'none',
    },
  ],
}
