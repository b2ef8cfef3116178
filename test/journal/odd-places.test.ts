import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { probeSqliteJournal } from '../../src/journal/sqlite/probe.ts'
import { openSqliteJournal } from '../../src/journal/sqlite.ts'
import { temporaryDirectory } from '../commands/support/signalbox.ts'

const PLACES = [
  { kind: 'a directory', make: (path: string) => mkdirSync(path), reason: 'it is a directory' },
  {
    kind: 'a text file',
    make: (path: string) => writeFileSync(path, 'root:x:0:0:root:/root:/bin/bash'),
    reason: 'file is not a database',
  },
  {
    kind: 'a pipe',
    make: (path: string) => execFileSync('mkfifo', [path]),
    reason: 'it is not a regular file',
  },
]

test.each(PLACES)(
  'a journal in the place of $kind is refused, and leaves no file beside it',
  async ({ make, reason }) => {
    await using directory = await temporaryDirectory()
    const file = `${directory.path}/place`
    make(file)
    const opening = () => openSqliteJournal({ file, onError: () => {} })
    expect(opening).toThrow(`the journal ${file} cannot be opened: ${reason}.`)
    expect(() => probeSqliteJournal(file)).toThrow(reason)
    expect(readdirSync(directory.path)).toEqual(['place'])
  },
)
