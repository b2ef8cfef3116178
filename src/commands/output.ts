import { showUnseen } from '../lib/show-unseen.ts'

/** Writes a line to standard output. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

export function printJson(value: unknown): void {
  print(showUnseen(JSON.stringify(value, null, 2), '\n'))
}

/** Writes a line to standard error, or several. */
export function printError(line: string): void {
  process.stderr.write(`${showUnseen(line, '\n\t')}\n`)
}

/** Formats rows as lines with aligned columns. A cell stays on its line, whatever it holds. */
export function toTable(given: readonly (readonly string[])[]): string {
  const rows = given.map(row => row.map(cell => showUnseen(cell)))
  const [first = []] = rows
  const widths = first.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  const toLine = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return rows.map(toLine).join('\n')
}
