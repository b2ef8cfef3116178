import { createPatch } from 'diff'
import { counted } from '../lib/text.ts'
import type { Change, Changes, Fate } from '../tools/import/changes.ts'
import { print } from './output.ts'

/** Bounds the search for the differences of two files that have little in common. */
const MOST_EDITS = 2000

const MESSAGES = {
  new: 'new',
  changed: 'changed in the document',
  overwritten: 'edited by you, and overwritten because of --force',
  same: null,
  edited: 'edited by you, and kept; the document says the same as at the last import',
  conflict: 'edited by you, and kept; the document has this instead:',
  deleted: 'deleted by you, and not written again',
  left: null,
} as const satisfies Record<Fate, string | null>

/** Prints how a document differs from the folder that an earlier import wrote. */
export function reportChanges({ files, removed }: Changes): void {
  print('Compared with the last import:')
  for (const change of files) reportChange(change)
  for (const name of removed) {
    print(`  ${name}: no longer in the document, and kept; delete it if the service lacks it too`)
  }
  const same = files.filter(({ fate }) => fate === 'same').length
  if (same > 0) print(`  ${counted(same, 'file')} unchanged`)
}

function reportChange({ name, fate, text, current }: Change): void {
  const message = MESSAGES[fate]
  if (message === null) return
  print(`  ${name}: ${message}`)
  if (fate === 'conflict') print(differences(name, current ?? '', text))
}

/** A unified diff, indented. */
function differences(name: string, current: string, text: string): string {
  const options = { context: 2, maxEditLength: MOST_EDITS }
  const patch = createPatch(name, current, text, 'yours', 'the document', options)
  if (patch === undefined) return '    (they have too little in common for a list of differences)'
  const [, , ...lines] = patch.trimEnd().split('\n')
  return lines.map(line => `    ${line}`).join('\n')
}
