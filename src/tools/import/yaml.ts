import { COLLECTION_STYLE, type Document, dump, type Node, visit } from 'js-yaml'
import { oneLine } from '../../lib/text.ts'

const MAX_WIDTH = 110
/** A collection up to this width fits on one line together with its key, as people write cards. */
const MAX_FLOW_WIDTH = 80

/** Formats a value as YAML, with the layout of a card written by hand. */
export function toYaml(value: unknown): string {
  return dump(value, {
    noRefs: true,
    lineWidth: MAX_WIDTH,
    quoteStyle: 'double',
    transform: compact,
  })
}

/** About the characters that `toYaml` makes of a value, without the work of making them. */
export function sizeInYaml(value: unknown, indent = 0): number {
  const width = flowWidth(value)
  if (width <= MAX_FLOW_WIDTH) return width
  if (typeof value === 'string') {
    const lines = Math.ceil(value.length / Math.max(20, MAX_WIDTH - indent))
    return value.length + lines * (indent + 1)
  }
  const members = Array.isArray(value)
    ? value.map(item => sizeInYaml(item, indent + 2) + indent + 3)
    : Object.entries(value as object).map(
        ([key, member]) => key.length + sizeInYaml(member, indent + 2) + indent + 3,
      )
  return members.reduce((sum, size) => sum + size, 0)
}

/** The width of a value on one line; a number above the limit if it does not fit there. */
function flowWidth(value: unknown): number {
  if (value === null || typeof value !== 'object') return String(value).length
  let width = 2
  for (const [key, member] of Object.entries(value)) {
    width += (Array.isArray(value) ? 2 : key.length + 4) + flowWidth(member)
    if (width > MAX_FLOW_WIDTH) break
  }
  return width
}

/** Formats each sentence as a comment. No text from a document can break out of it. */
export function toComments(sentences: readonly string[]): string {
  const lines = sentences.flatMap(sentence =>
    wrap(oneLine(sentence.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' '))),
  )
  return lines.map(line => `# ${line.trimEnd()}\n`).join('')
}

/** Breaks a text between words. A word that is too long gets its own line. */
function wrap(text: string): string[] {
  return text.match(new RegExp(`.{1,${MAX_WIDTH}}(?: |$)|[^ ]+`, 'gu')) ?? []
}

function compact(documents: Document[]): void {
  visit(documents, (node, { depth }) => {
    const isCollection = node.kind === 'mapping' || node.kind === 'sequence'
    if (isCollection && depth > 0 && widthOf(node) <= MAX_FLOW_WIDTH) {
      node.style = COLLECTION_STYLE.FLOW
    }
  })
}

function widthOf(node: Node): number {
  switch (node.kind) {
    case 'scalar':
      return node.value.includes('\n') ? Infinity : node.value.length
    case 'alias':
      return node.anchor.length
    case 'sequence':
      return node.items.reduce((sum, item) => sum + widthOf(item) + 2, 2)
    case 'mapping':
      return node.items.reduce((sum, { key, value }) => sum + widthOf(key) + widthOf(value) + 4, 2)
  }
}
