/** The JSON of a value, written when it is first needed, and only once. Nobody may change the value after that. */
export class JsonText {
  readonly #value: unknown
  #text: string | null = null

  constructor(value: unknown) {
    this.#value = value
  }

  /** Whether this is the text of that very object. */
  isOf(value: unknown): boolean {
    return this.#value === value
  }

  get text(): string {
    return (this.#text ??= JSON.stringify(this.#value))
  }
}

/** The JSON of a value: `known`, if that is its text. */
export function jsonOf(value: unknown, known: JsonText | null | undefined): string {
  return known?.isOf(value) ? known.text : JSON.stringify(value)
}
