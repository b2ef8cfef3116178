import type { Figures, Results, Variant } from './rounds.ts'
import { rssOf } from './rss.ts'
import type { Spread } from './spread.ts'

/** One row per variant, one group of columns per number of connections, and the memory of each server now. */
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
    'RSS MB',
  ]
  const rows = variants.map(variant => [
    variant.name,
    ...groups.flatMap(([, figures]) => formatFigures(figures.get(variant))),
    memoryOf(variant)?.toFixed(0) ?? '',
  ])
  return align([header, ...rows])
}

function memoryOf({ pid, others = [] }: Variant): number | null {
  const sizes = [pid, ...others.map(other => other.pid)].map(one => one && rssOf(one))
  return sizes.reduce((sum, size) => (sum === null || size === null ? null : sum + size), 0)
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

export function formatSpread({ low, median, high }: Spread): string {
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

interface Target {
  readonly spread: Spread | null | undefined
  readonly least?: number
  readonly most?: number
}

/** Prints a figure with its target. @returns whether the median meets it; a figure that is not measured does not */
export function printTarget(what: string, { spread, least, most }: Target): boolean {
  const limit = least === undefined ? `at most ${most}` : `at least ${least}`
  const median = spread?.median ?? Number.NaN
  const met = least === undefined ? median <= (most ?? 0) : median >= least
  console.log(`${verdictOf(met)} ${what}: ${spread ? formatSpread(spread) : '–'}, ${limit}`)
  return met
}
