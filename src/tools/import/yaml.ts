import { COLLECTION_STYLE, type Document, dump, type Node, visit } from 'js-yaml'

const LINE = 110
/** What fits in a line with its key and some depth is written in one, as people write cards. */
const LONGEST_IN_LINE = 80

/** A value as YAML, laid out like the cards that people write. */
export function toYaml(value: unknown): string {
  return dump(value, { noRefs: true, lineWidth: LINE, quoteStyle: 'double', transform: compact })
}

/** Each sentence as a comment; no text of a document can leave it. */
export function toComments(sentences: readonly string[]): string {
  const lines = sentences.flatMap(sentence =>
    inLines(sentence.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim()),
  )
  return lines.map(line => `# ${line}\n`).join('')
}

/** Broken between words, where there are any. */
function inLines(text: string): string[] {
  return text.match(new RegExp(`.{1,${LINE}}(?: |$)|[^ ]+`, 'gu')) ?? []
}

function compact(documents: Document[]): void {
  visit(documents, (node, { depth }) => {
    const isCollection = node.kind === 'mapping' || node.kind === 'sequence'
    if (isCollection && depth > 0 && widthOf(node) <= LONGEST_IN_LINE) {
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
