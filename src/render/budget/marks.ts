import vocabulary from './vocabulary.json' with { type: 'json' }

/** Groups of two to four marks that are one token. */
const GROUPS = new Set(vocabulary.marks.split(' '))
const LONGEST = 4
/** Repeated marks, as in lines of Markdown, are one token up to about this length. */
const REPEATED = 16
/** The tokenizer does not always take the longest groups, which shows in longer runs. */
const FEW = 2
const OTHERWISE_SPLIT = 1.15

/** The tokens of a run of marks: `":` and `},` are one token, `^%` is two. */
export function ofMarks(text: string, start: number, end: number): number {
  let tokens = 0
  let at = start
  while (at < end) {
    at += Math.max(repeated(text, at, end), grouped(text, at, end))
    tokens++
  }
  return tokens > FEW ? tokens * OTHERWISE_SPLIT : tokens
}

function repeated(text: string, start: number, end: number): number {
  const mark = text.charCodeAt(start)
  let at = start + 1
  while (at < end && at - start < REPEATED && text.charCodeAt(at) === mark) at++
  // Most marks have tokens of two and of four, and no other short ones.
  return at - start > LONGEST ? at - start : 1
}

function grouped(text: string, start: number, end: number): number {
  for (let length = Math.min(LONGEST, end - start); length > 1; length--) {
    if (GROUPS.has(text.slice(start, start + length))) return length
  }
  return 1
}
