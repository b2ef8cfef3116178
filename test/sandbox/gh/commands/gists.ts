import type { Store } from '../../../../sandbox/index.ts'
import type { GhCommand } from '../command.ts'

const newest = (store: Store) => store.gists.all().at(-1)

export const commands: readonly GhCommand[] = [
  { run: 'gist list --public', prints: 'Of octocat\t2 files\tpublic\t' },
  { run: 'gist list --secret --limit=5', prints: 'secret.txt\t1 file\tsecret\t' },
  { run: 'gist view $gist --files', prints: 'a note.txt\nhello.md\n' },
  { run: 'gist view $gist --filename=hello.md --raw', prints: '# Hello\n' },
  {
    run: 'gist create notes.md --desc=Mine --public',
    files: { 'notes.md': 'Text.\n' },
    leaves: [
      newest,
      { description: 'Mine', isPublic: true, files: new Map([['notes.md', 'Text.\n']]) },
    ],
  },
  {
    run: 'gist edit $gist --add=more.txt',
    files: { 'more.txt': 'More.\n' },
    leaves: [
      store => [...(store.gists.all()[0]?.files.keys() ?? [])],
      ['a note.txt', 'hello.md', 'more.txt'],
    ],
  },
  { run: 'gist delete $gist', leaves: [store => store.gists.all().length, 2] },
  {
    run: 'gist delete $foreign',
    prints: 'not owned by you',
    code: 1,
    leaves: [store => store.gists.all().length, 3],
  },
  {
    run: 'gist create - --filename=piped.txt',
    stdin: 'Piped.\n',
    leaves: [newest, { isPublic: false, files: new Map([['piped.txt', 'Piped.\n']]) }],
  },
]
