import type { Figures, Variant } from './rounds.ts'
import type { Spread } from './spread.ts'

type Results = ReadonlyMap<number, ReadonlyMap<Variant, Figures>>

/** One row per variant, one group of columns per number of connections. */
export function formatTable(results: Results, variants: readonly Variant[]): string {
  const groups = [...results]
  const header = [
    '',
    ...groups.flatMap(([connections]) => [
      `c=${connections}: ratio`,
      'requests/s',
      'p50 ms',
      'CPU µs',
      'CPU ratio',
    ]),
  ]
  const rows = variants.map(variant => [
    variant.name,
    ...groups.flatMap(([, figures]) => formatFigures(figures.get(variant))),
  ])
  return align([header, ...rows])
}

function formatFigures(figures: Figures | undefined): string[] {
  if (!figures) return ['', '', '', '', '']
  const { ratio, requestsPerSecond, p50, cpu, cpuRatio } = figures
  return [
    formatSpread(ratio),
    requestsPerSecond.toFixed(0),
    p50.toFixed(2),
    cpu?.toFixed(0) ?? '',
    cpuRatio === null ? '' : formatSpread(cpuRatio),
  ]
}

function formatSpread({ low, median, high }: Spread): string {
  return `${median.toFixed(2)} [${low.toFixed(2)}–${high.toFixed(2)}]`
}

/** Pads cells into columns: the first is left-aligned, the others right-aligned. */
export function align(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths?.[column] ?? 0) : cell.padStart(widths?.[column] ?? 0)
  return rows.map(row => row.map(pad).join('   ').trimEnd()).join('\n')
}

/** The word before a result that has a target. */
export function verdictOf(met: boolean): string {
  return met ? 'ok    ' : 'MISSED'
}
