import type { Remember } from './source.ts'

/** Values of before a renewal can still come back in answers; older ones hardly. */
const MOST_OF_ONE = 16

/** The secrets of an upstream that are or were in use. */
export class KnownSecrets {
  readonly #ofSources: (readonly string[])[] = []
  #all: readonly string[] = []

  /** For one source. Its values push out its own old ones, never those of another. */
  ofSource(): Remember {
    const index = this.#ofSources.push([]) - 1
    return secret => {
      const known = this.#ofSources[index] ?? []
      if (known.at(-1) === secret) return
      this.#ofSources[index] = [...known.filter(one => one !== secret), secret].slice(-MOST_OF_ONE)
      this.#all = [...new Set(this.#ofSources.flat())]
    }
  }

  /** A new list after each change, so that a caller may keep it. */
  all(): readonly string[] {
    return this.#all
  }
}
