/** The files of a web page, kept in memory: a page of the inspector consists of many, and each takes long to open. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** A file that is made of others. */
export interface JoinedFile {
  readonly parts: readonly string[]
  readonly join: (texts: ReadonlyMap<string, string>) => string
}

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
  readonly #joins = new Map<string, JoinedFile>()
  readonly #joined = new Map<string, PageFile & { readonly parts: readonly PageFile[] }>()
  /** The files of the folder. */
  readonly paths: ReadonlySet<string>

  /**
   * @param root the folder that holds the files
   * @param made the texts of files that the folder lacks
   */
  constructor(root: string, made: ReadonlyMap<string, string>) {
    this.#root = root
    this.#made = new Map([...made].map(([path, text]) => [path, toFile(path, text)]))
    const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
    this.paths = new Set(paths.filter(path => extname(path) in TYPES))
  }

  /** Adds a file, which is joined when somebody first asks for it. */
  add(path: string, join: JoinedFile): void {
    this.#joins.set(path, join)
  }

  /** Returns null for a path that is not in the folder. Reads a file again after somebody has changed it. */
  get(path: string): PageFile | null {
    const joined = this.#joins.get(path)
    if (joined !== undefined) return this.#join(path, joined)
    const made = this.#made.get(path)
    if (made !== undefined) return made
    const changed = this.paths.has(path) ? this.#changeOf(path) : undefined
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

  #join(path: string, { parts, join }: JoinedFile): PageFile {
    const files = new Map(
      parts.flatMap(part => {
        const file = this.get(part)
        return file === null ? [] : [[part, file] as const]
      }),
    )
    const known = this.#joined.get(path)
    const now = [...files.values()]
    if (known?.parts.length === now.length && now.every((file, at) => file === known.parts[at])) {
      return known
    }
    const texts = new Map([...files].map(([part, { text }]) => [part, text]))
    const file = { ...toFile(path, join(texts)), parts: now }
    this.#joined.set(path, file)
    return file
  }
}

function toFile(path: string, text: string): PageFile {
  const hash = createHash('sha256').update(text).digest('base64url')
  // A weak tag: it is the same for the compressed file.
  return { type: TYPES[extname(path)] ?? '', text, etag: `W/"${hash}"` }
}

const compressed = new WeakMap<PageFile, Promise<Buffer>>()

/** Compresses a file when a browser first asks for it. */
export function gzipOf(file: PageFile): Promise<Buffer> {
  const known = compressed.get(file) ?? promisify(gzip)(file.text)
  compressed.set(file, known)
  return known
}

/** @param accepted the header `Accept-Encoding` */
export function acceptsGzip(accepted: string | string[] | undefined): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(String(accepted ?? ''))
}
