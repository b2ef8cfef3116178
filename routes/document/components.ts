type Components = Readonly<Record<string, object>>

const REFERENCE = /"\$ref":"#\/components\/([\w-]+)\/([\w.-]+)/g

/**
 * The components that the paths refer to, and those that these refer to in turn. A part of a document needs few, and
 * linters report the others.
 */
export function usedComponents(components: Components, paths: object): Components {
  const used = new Map<string, readonly [section: string, name: string]>()
  const follow = (value: unknown): void => {
    for (const [text, section = '', name = ''] of JSON.stringify(value).matchAll(REFERENCE)) {
      if (used.has(text)) continue
      used.set(text, [section, name])
      follow(Object.entries(components[section] ?? {}).find(([known]) => known === name) ?? null)
    }
  }
  follow(paths)
  const sections = Object.entries(components).map(([section, parts]) => {
    const mine = new Set([...used.values()].filter(one => one[0] === section).map(one => one[1]))
    const kept = Object.entries(parts).filter(([name]) => mine.has(name))
    return [section, Object.fromEntries(kept)] as const
  })
  return Object.fromEntries(sections.filter(([, parts]) => Object.keys(parts).length > 0))
}
