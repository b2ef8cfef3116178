/** How many letters must be added, removed or replaced to make one text of another (Levenshtein). For short texts. */
export function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let line = 1; line <= one.length; line++) {
    const next = [line]
    for (let column = 1; column <= other.length; column++) {
      const same = one[line - 1] === other[column - 1] ? 0 : 1
      const [above = 0, left = 0, corner = 0] = [row[column], next[column - 1], row[column - 1]]
      next.push(Math.min(above + 1, left + 1, corner + same))
    }
    row = next
  }
  return row[other.length] ?? 0
}

/** Whether one letter is added, removed or replaced, or two neighbours have changed places. */
export function isOneSlip(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false
  return editDistance(one, other) === 1 || isSwap(one, other)
}

function isSwap(one: string, other: string): boolean {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const swapped = `${other.slice(0, at)}${other[at + 1]}${other[at]}${other.slice(at + 2)}`
  return at < one.length && one === swapped
}
