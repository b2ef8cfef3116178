import type { JsonSchema } from '../../model/card.ts'
import { capitalized, memberName } from './names.ts'

/** Collects the members of a card's input, each with a unique name. */
export class InputMembers {
  readonly #properties = new Map<string, JsonSchema>()
  readonly #required: string[] = []

  /**
   * Adds a member and returns its name: `wire`, the name in the document, if it is an identifier and free.
   * @param place makes the name unique: `header`, `query`, `body`.
   */
  add(wire: string, place: string, schema: JsonSchema, isRequired: boolean): string {
    const free = this.nameFor(wire, place)
    this.#properties.set(free, schema)
    if (isRequired) this.#required.push(free)
    return free
  }

  /** The name that `add` would give. */
  nameFor(wire: string, place: string): string {
    const name = memberName(wire)
    const others = [`${place}${capitalized(name)}`, ...[2, 3, 4, 5].map(n => `${name}${n}`)]
    return [name, ...others].find(candidate => !this.#properties.has(candidate)) ?? name
  }

  get isEmpty(): boolean {
    return this.#properties.size === 0
  }

  has(name: string): boolean {
    return this.#properties.has(name)
  }

  toSchema(): JsonSchema {
    return {
      type: 'object',
      ...(this.#required.length > 0 ? { required: this.#required } : {}),
      additionalProperties: false,
      properties: Object.fromEntries(this.#properties),
    }
  }
}

/** The expression that reads a member. JMESPath needs quotes around its keywords. */
export function readExpression(name: string): string {
  return /^(let|in)$/.test(name) ? `input."${name}"` : `input.${name}`
}
