type Cell = string | number | boolean | null

/** A spreadsheet takes a text that begins like this for a formula, which a stranger may have chosen. */
const FORMULA = /^[=+\-@\t\r]/

const NEEDS_QUOTES = /[",\r\n]/

/** A line of CSV (RFC 4180). A text that a spreadsheet would run begins with an apostrophe instead. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(toCsv).join(',')}\r\n`
}

function toCsv(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
