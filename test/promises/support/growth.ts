/** Any of these, repeated, is the worst text of most patterns that are not linear. */
const COMMON = [
  ...Array.from('aA0_ .,-/\\:"\'`(#<=%‘é\n\t'),
  '\\"',
  " '",
  'a.',
  'a/',
  '0.',
  'a-',
  'a b',
  ' a',
  '\n ',
  '"\\',
  '-a',
  '://',
  'a://',
  '{}',
  '.a',
]
/** No pattern ends with this. */
const END = '\u0000\u0001'
const LENGTH = 8_000
/** Shorter times say nothing about growth. Quadratic work on that many characters takes longer. */
const NOTICEABLE_MS = 4

/** Texts that repeat one unit, made from the pattern's own words. */
function unitsFor({ source }: RegExp): readonly string[] {
  const plain = source
    .replaceAll(/\(\?(?:<?[=!]|:)|\\[bBdDsSwW]|[.)}\]][*+?]/g, '|')
    .replaceAll(/\\(.)/g, '$1')
  const words = plain.split(/[|()[\]{}^$*+?]+/).filter(word => word !== '')
  const own = words
    .slice(0, 60)
    .flatMap(word => [word, `${word} `, `${word}a`, `${word}aaaaaaaaaa-`])
  return [...new Set([...COMMON, ...own])]
}

/** The unit with which doubling the text more than triples the time; null if there is none. */
export function superlinearUnit(regex: RegExp): string | null {
  const fresh = new RegExp(regex.source, regex.flags.replace(/[gy]/g, ''))
  const everywhere = new RegExp(regex.source, `${fresh.flags}g`)
  const run = (text: string) => {
    fresh.test(text)
    // Replacing looks for a match from every place on, as redaction and masks do.
    if (regex.global) text.replace(everywhere, '')
  }
  return unitsFor(regex).find(unit => grows(run, unit)) ?? null
}

function grows(run: (text: string) => void, unit: string): boolean {
  const text = (length: number) => unit.repeat(Math.ceil(length / unit.length)) + END
  const long = text(2 * LENGTH)
  if (cpuMs(() => run(long)) < NOTICEABLE_MS) return false
  const half = text(LENGTH)
  // Other work on the machine disturbs single measurements: growth has to show every time.
  const shows = () => best(() => run(long)) > Math.max(3 * best(() => run(half)), NOTICEABLE_MS)
  return shows() && shows() && shows()
}

function best(work: () => void): number {
  return Math.min(cpuMs(work), cpuMs(work))
}

function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
