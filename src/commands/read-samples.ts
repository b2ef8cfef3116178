interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Reads metrics in the text format of Prometheus. Keeps the last sample of each name. */
export function readSamples(text: string): ReadonlyMap<string, Sample> {
  const samples = new Map<string, Sample>()
  for (const line of text.split('\n')) {
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (name !== undefined) samples.set(name, { labels: readLabels(labels), value: Number(value) })
  }
  return samples
}

function readLabels(text: string): Readonly<Record<string, string>> {
  const found = text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)
  return Object.fromEntries([...found].map(([, name, value]) => [name, value]))
}
