/** A part that was left out, and how to get it. */
export interface Drop {
  /** Dotted path in the answer; `*` stands for every item of a list. */
  readonly path: string
  /** The name of a list, or `characters`. */
  readonly kind: string
  readonly count: number
  readonly note: string
  /** Continues a list after the cut. */
  readonly cursor?: string
}
