import { align, verdictOf } from './table.ts'

/** A quantity that was measured at each point of a curve. */
export interface Figure {
  readonly name: string
  readonly values: readonly number[]
  /** Decimals of the printed values. */
  readonly digits: number
  /** How it may grow. Null: it is only printed. */
  readonly growth: Growth | null
}

export interface Curve {
  readonly title: string
  /** The name of the numbers in `at`. */
  readonly along: string
  readonly at: readonly number[]
  readonly figures: readonly Figure[]
}

/** The largest exponent: a quantity that grows with the square has 2. */
export interface Growth {
  readonly name: 'flat' | 'linear'
  readonly most: number
}

/** Trees get deeper, caches miss more, and sorting takes n log n. */
export const FLAT: Growth = { name: 'flat', most: 0.2 }
export const LINEAR: Growth = { name: 'linear', most: 1.15 }

/** One quantity of all points. */
export function figure<Name extends string>(
  name: string,
  points: readonly Readonly<Record<Name, number>>[],
  key: Name,
  digits: number,
  growth: Growth | null,
): Figure {
  return { name, values: points.map(point => point[key]), digits, growth }
}

/** Fixed costs hide growth at small numbers, so an exponent is fitted to the last points alone. */
const FITTED = 3

/** The exponent k of the curve y = c · x^k with the least squares through the last points. */
export function exponentOf(at: readonly number[], values: readonly number[]): number {
  const xs = at.slice(-FITTED).map(Math.log)
  const ys = values.slice(-FITTED).map(Math.log)
  const [x, y] = [mean(xs), mean(ys)]
  const up = xs.reduce((sum, own, n) => sum + (own - x) * ((ys[n] ?? 0) - y), 0)
  return up / xs.reduce((sum, own) => sum + (own - x) ** 2, 0)
}

/** Prints the curve with a verdict on each figure. Returns whether all grow as they may. */
export function report({ title, along, at, figures }: Curve): boolean {
  const exponents = figures.map(({ values }) => exponentOf(at, values))
  const rows = at.map((x, n) => [
    x.toLocaleString('en'),
    ...figures.map(({ values, digits }) => values[n]?.toFixed(digits) ?? ''),
  ])
  const header = [along, ...figures.map(({ name }) => name)]
  console.log(`\n${title}\n${align([header, ...rows, ['exponent', ...exponents.map(toText)]])}`)
  const verdicts = figures.flatMap(({ name, growth }, n) => {
    if (growth === null) return []
    const exponent = exponents[n] ?? Number.NaN
    const isMet = exponent <= growth.most
    const bound = `${growth.name}, exponent at most ${growth.most}`
    console.log(`${verdictOf(isMet)} ${name}: ${toText(exponent)}, expected ${bound}`)
    return [isMet]
  })
  return verdicts.every(Boolean)
}

function toText(exponent: number): string {
  return exponent.toFixed(2)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
