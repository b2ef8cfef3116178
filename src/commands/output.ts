/** Writes a line to standard output. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2))
}

/** Writes a line to standard error. */
export function printError(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Formats rows as lines with aligned columns. */
export function toTable(rows: readonly (readonly string[])[]): string {
  const [first = []] = rows
  const widths = first.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  const toLine = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return rows.map(toLine).join('\n')
}
