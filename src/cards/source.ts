import { LineCounter, parseDocument } from 'yaml'
import type { Problem } from './problem.ts'

export type KeyPath = readonly (string | number)[]

/** A parsed YAML file that still knows on which line each of its values stands. */
export interface SourceFile {
  readonly file: string
  readonly value: unknown
  /** Known to have no faults: what would only find some is left out. */
  readonly proven?: boolean
  /** Line of the value at `path`, or of its nearest ancestor that exists. */
  lineOf(path: KeyPath): number | null
}

export function parseSource(file: string, text: string): SourceFile | Problem {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, merge: true })
  const [error] = document.errors
  if (error) {
    return {
      file,
      line: lines.linePos(error.pos[0]).line,
      message: `not valid YAML: ${error.message.split('\n')[0]}`,
      fix: 'Correct the syntax on this line; quote strings that hold ": ", "#", "{" or "[".',
    }
  }
  const lineOf = (path: KeyPath): number | null => {
    for (let length = path.length; length >= 0; length--) {
      const offset = keyOffset(document, path.slice(0, length))
      if (offset !== null) return lines.linePos(offset).line
    }
    return null
  }
  return { file, value: document.toJS({ maxAliasCount: 100 }), lineOf }
}

/** Prefers the key's position to its value's: that is the line a person looks for. */
function keyOffset(document: ReturnType<typeof parseDocument>, path: KeyPath): number | null {
  if (path.length === 0) return rangeStart(document.contents)
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
  const name = path.at(-1)
  if (isPairs(parent)) {
    const pair = parent.items.find(item => String(scalarOf(item.key)) === String(name))
    return pair ? rangeStart(pair.key) : null
  }
  return rangeStart(document.getIn(path, true))
}

function isPairs(node: unknown): node is { items: { key: unknown; value: unknown }[] } {
  const items = (node as { items?: unknown } | null)?.items
  return (
    Array.isArray(items) &&
    items.every(item => item !== null && typeof item === 'object' && 'key' in item)
  )
}

function scalarOf(node: unknown): unknown {
  return node !== null && typeof node === 'object' && 'value' in node ? node.value : node
}

function rangeStart(node: unknown): number | null {
  const range = (node as { range?: [number, number, number] | null } | null)?.range
  return range ? range[0] : null
}
