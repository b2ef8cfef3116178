import type { FileChange } from './git/diff.ts'
import type { DiffSide } from './review-entities.ts'

export interface Place {
  path: string
  line: number
  side: DiffSide
}

/**
 * The diff hunk of a line, down to that line. GitHub shows it above a comment. Null if the diff does
 * not contain the line: then it cannot be commented on.
 */
export function hunkAt(changes: readonly FileChange[], { path, line, side }: Place): string | null {
  const patch = changes.find(change => change.path === path)?.patch
  for (const hunk of patch?.split(/\n(?=@@ )/) ?? []) {
    const [header = '', ...lines] = hunk.split('\n')
    const end = positionIn(header, lines, line, side)
    if (end !== null) return [header, ...lines.slice(0, end + 1)].join('\n')
  }
  return null
}

/** Whether a line of the old file was removed or changed. */
export function isLineChanged(changes: readonly FileChange[], path: string, line: number): boolean {
  const change = changes.find(it => (it.previousPath ?? it.path) === path)
  if (change?.status === 'removed') return true
  const hunk = hunkAt(changes, { path: change?.path ?? path, line, side: 'LEFT' })
  return hunk?.split('\n').at(-1)?.startsWith('-') ?? false
}

function positionIn(header: string, lines: string[], wanted: number, side: DiffSide) {
  const [, old, now] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(header) ?? []
  let line = Number(side === 'LEFT' ? old : now) - 1
  const other = side === 'LEFT' ? '+' : '-'
  for (const [index, text] of lines.entries()) {
    if (text.startsWith(other) || text.startsWith('\\')) continue
    line += 1
    if (line === wanted) return index
  }
  return null
}
