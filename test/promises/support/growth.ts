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
const SHORTEST = 16_000
const LONGEST = 128_000
/** Some kernels count a thread's time in ticks of 4 ms: shorter times say nothing about growth. */
const NOTICEABLE_MS = 120

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
  for (let length = SHORTEST; length <= LONGEST; length *= 2) {
    const long = text(length)
    if (wallMs(() => run(long)) < NOTICEABLE_MS) continue
    const half = text(length / 2)
    // Other work on the machine disturbs single measurements: growth has to show every time.
    const shows = () =>
      best(() => run(long)) > Math.max(3 * best(() => run(half)), NOTICEABLE_MS / 2)
    return shows() && shows() && shows()
  }
  return false
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

/** Never less than the processor's time, and counted finely. */
function wallMs(work: () => void): number {
  const before = performance.now()
  work()
  return performance.now() - before
}
