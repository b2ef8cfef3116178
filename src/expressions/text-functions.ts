/**
 * The last characters of a text. It begins with a whole line, unless there is none: half a line reads
 * like another one.
 */
export function tail(text: string, count: number): string {
  if (text.length <= count) return text
  const start = text.length - count
  if (text[start - 1] === '\n') return text.slice(start)
  const next = text.indexOf('\n', start)
  return text.slice(next === -1 || next === text.length - 1 ? start : next + 1).toWellFormed()
}

// oxlint-disable-next-line no-control-regex
const COLORS = /\u001b\[[\d;]*m/g

/** A text's lines, as a terminal would show them in black and white; an end of line ends the text. */
export function lines(text: string): string[] {
  if (text === '') return []
  const plain = text.replace(/^\ufeff/, '').replace(/\r?\n$/, '')
  return plain.replace(COLORS, '').split(/\r?\n/)
}

const patterns = new Map<string, RegExp>()

/** The texts in which the pattern of a card finds something. */
export function matching(texts: readonly string[], pattern: string): string[] {
  let compiled = patterns.get(pattern)
  if (!compiled) {
    compiled = new RegExp(pattern)
    patterns.set(pattern, compiled)
  }
  const found = compiled
  return texts.filter(text => found.test(text))
}

/** The texts that begin with something from `from` to `to`: of lines with their times, those of a span. */
export function between(texts: readonly string[], from: string, to: string): string[] {
  return texts.filter(text => text.slice(0, from.length) >= from && text.slice(0, to.length) <= to)
}
