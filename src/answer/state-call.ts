import type { Engine } from '../engine/engine.ts'
import { isObject } from '../lib/is-object.ts'
import type { Card } from '../model/card.ts'
import { GatewayError } from '../model/errors.ts'
import { verifyCallOf } from '../model/failed-envelope.ts'
import type { ReadCall } from '../model/next.ts'

type Input = Readonly<Record<string, unknown>>

/**
 * The read that shows the state which a conflicting change met: the card's own `verify`, else `view` or `list` of
 * the same noun (`pr.merge` → `pr.view`) or of one above, if it can be called with members of this input.
 */
export function stateCall(
  catalog: Engine['catalog'],
  card: Card | null,
  input: Input | null,
): ReadCall | null {
  if (!card || !input) return null
  const verify = verifyCallOf(card, input)
  if (verify) return verify
  const words = card.id.split('.')
  for (let length = words.length - 1; length > 0; length--) {
    for (const verb of ['view', 'list']) {
      const reader = catalog.get([...words.slice(0, length), verb].join('.'))
      const call = reader && reader.id !== card.id ? callWith(reader, input) : null
      if (call) return call
    }
  }
  return null
}

/** Null when the reader needs more than this input has. */
function callWith(reader: Card, input: Input): ReadCall | null {
  if (reader.effect !== 'read' || !isObject(reader.input.properties)) return null
  const paging = Object.values(reader.page ?? {})
  const names = Object.keys(reader.input.properties).filter(name => !paging.includes(name))
  const own = Object.fromEntries(
    names.flatMap(name => (input[name] === undefined ? [] : [[name, input[name]]])),
  )
  try {
    reader.parseInput(own)
    return { capability: reader.id, input: own }
  } catch (error) {
    if (error instanceof GatewayError) return null
    throw error
  }
}
