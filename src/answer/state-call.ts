import type { Engine } from '../engine/engine.ts'
import type { Execution } from '../engine/execution.ts'
import { isObject } from '../lib/is-object.ts'
import { withoutNulls } from '../lib/without-nulls.ts'
import type { Card } from '../model/card.ts'
import { GatewayError } from '../model/errors.ts'
import { type ReadCall, verifyCallOf } from '../model/read-call.ts'

type Input = Readonly<Record<string, unknown>>

/**
 * The read that shows the state which a change met or left: the card's `state`; else `view` or `list` of the same
 * noun (`pr.merge` → `pr.view`) or of one above, if it can be called with members of this input; else its `verify`.
 */
export function stateCall(
  catalog: Engine['catalog'],
  { card, asked, sentAfter }: Pick<Execution, 'card' | 'asked' | 'sentAfter'>,
): ReadCall | null {
  if (!card || !asked || card.state === 'none') return null
  if (card.state === null) {
    return callBesides(catalog, card, asked) ?? verifyCallOf(card, asked, sentAfter)
  }
  const input = card.state.input({ input: asked })
  return input === null ? null : { capability: card.state.capability, input: withoutNulls(input) }
}

function callBesides(catalog: Engine['catalog'], card: Card, input: Input): ReadCall | null {
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
