import { exampleOf, isFullyHeeded } from '../lib/schema-example.ts'
import type { Card, JsonSchema } from '../model/card.ts'
import { GatewayError } from '../model/errors.ts'

export interface CardExample {
  /** Undefined when none was found that the schema allows; so is `output`. */
  readonly input: unknown
  readonly output: unknown
}

const known = new WeakMap<Card, CardExample>()

/** An example of a call: its schemas say what is allowed, its upstream what is usual. */
export function exampleOfCard(card: Card): CardExample {
  const found = known.get(card)
  if (found) return found
  const { examples } = card.upstream
  const example = {
    input: checked(card.input, examples, input => accepts(card, input)),
    output: checked(card.output, examples, output => card.checkOutput(output).length === 0),
  }
  known.set(card, example)
  return example
}

/** Compiling a schema takes long, so only examples that may be wrong are checked by it. */
function checked(
  schema: JsonSchema,
  values: Readonly<Record<string, unknown>>,
  isValid: (value: unknown) => boolean,
): unknown {
  const example = exampleOf(schema, values)
  return isFullyHeeded(schema) || isValid(example) ? example : undefined
}

function accepts(card: Card, input: unknown): boolean {
  try {
    card.parseInput(input)
    return true
  } catch (error) {
    if (error instanceof GatewayError) return false
    throw error
  }
}
