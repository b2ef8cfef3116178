/** The last characters of a text. Drops a line that would be cut, unless nothing else is left: it could mislead. */
export function tail(text: string, count: number): string {
  if (text.length <= count) return text
  const start = text.length - count
  if (text[start - 1] === '\n') return text.slice(start)
  const next = text.indexOf('\n', start)
  return text.slice(next === -1 || next === text.length - 1 ? start : next + 1).toWellFormed()
}

// oxlint-disable-next-line no-control-regex
const COLORS = /\u001b\[[\d;]*m/g

/** The lines of a text, without terminal colours. A line break at the end adds no empty line. */
export function lines(text: string): string[] {
  if (text === '') return []
  const plain = text.replace(/^\ufeff/, '').replace(/\r?\n$/, '')
  return plain.replace(COLORS, '').split(/\r?\n/)
}

const patterns = new Map<string, RegExp>()

/** The texts that match the pattern. Caches patterns: they come from cards, so there are few. */
export function matching(texts: readonly string[], pattern: string): string[] {
  let compiled = patterns.get(pattern)
  if (!compiled) {
    compiled = new RegExp(pattern)
    patterns.set(pattern, compiled)
  }
  const found = compiled
  return texts.filter(text => found.test(text))
}

/** The texts whose beginning sorts from `from` to `to`, e.g. the log lines of a time span. */
export function between(texts: readonly string[], from: string, to: string): string[] {
  return texts.filter(text => text.slice(0, from.length) >= from && text.slice(0, to.length) <= to)
}

/** The folders that contain the file at a path, the outermost first: `a` and `a/b` for `a/b/c`. */
export function foldersAbove(path: string): string[] {
  const segments = path.split('/')
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'))
}
