/** The files of a web page, kept in memory: a page of the inspector consists of many, and each takes long to open. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, posix } from 'node:path'

export interface PageFile {
  readonly type: string
  readonly text: string
  readonly etag: string
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

export class PageFiles {
  readonly #root: string
  readonly #made: ReadonlyMap<string, PageFile>
  readonly #read = new Map<string, PageFile & { readonly changed: number }>()
  readonly #paths: ReadonlySet<string>

  /**
   * @param root the folder that holds the files
   * @param made the texts of files that the folder lacks
   */
  constructor(root: string, made: ReadonlyMap<string, string>) {
    this.#root = root
    this.#made = new Map([...made].map(([path, text]) => [path, toFile(path, text)]))
    const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
    this.#paths = new Set(paths.filter(path => extname(path) in TYPES))
  }

  /** Returns null for a path that is not in the folder. Reads a file again after somebody has changed it. */
  get(path: string): PageFile | null {
    const made = this.#made.get(path)
    if (made !== undefined) return made
    const changed = this.#paths.has(path) ? this.#changeOf(path) : undefined
    if (changed === undefined) return null
    const known = this.#read.get(path)
    if (known?.changed === changed) return known
    const file = { ...toFile(path, readFileSync(join(this.#root, path), 'utf8')), changed }
    this.#read.set(path, file)
    return file
  }

  #changeOf(path: string): number | undefined {
    return statSync(join(this.#root, path), { throwIfNoEntry: false })?.mtimeMs
  }

  /** The paths of modules and of all that they import. Imports by `import()` do not count. */
  modulesOf(entries: readonly string[]): readonly string[] {
    const found = new Set<string>()
    const visit = (path: string) => {
      if (found.has(path)) return
      found.add(path)
      for (const [, other = ''] of (this.get(path)?.text ?? '').matchAll(STATIC_IMPORT)) {
        visit(posix.join(posix.dirname(path), other))
      }
    }
    for (const entry of entries) visit(entry)
    return [...found]
  }
}

const STATIC_IMPORT = /^(?:import|export)\b[^'"()]*?['"](\.[^'"]+\.js)['"]/gm

function toFile(path: string, text: string): PageFile {
  const hash = createHash('sha256').update(text).digest('base64url')
  return { type: TYPES[extname(path)] ?? '', text, etag: `"${hash}"` }
}
