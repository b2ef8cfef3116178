/** The JSON of a value, written when it is first needed, and only once. Nobody may change the value after that. */
export class JsonText {
  readonly #value: object
  #text: string | null = null

  constructor(value: object) {
    this.#value = value
  }

  /** Whether this is the text of that very object. */
  isOf(value: object): boolean {
    return this.#value === value
  }

  get text(): string {
    return (this.#text ??= JSON.stringify(this.#value))
  }
}
