import type { Door } from '../model/door.ts'
import type { Envelope, Next, SuggestedCall } from '../model/envelope.ts'

/** The envelope with the names that hold at a door, and without a call that the caller cannot make there. */
export function envelopeAtDoor(envelope: Envelope, door: Door): Envelope {
  if (envelope.ok || envelope.error.next.capability === undefined) return envelope
  return { ...envelope, error: { ...envelope.error, next: nextAtDoor(envelope.error.next, door) } }
}

function nextAtDoor(next: Next, door: Door): Next {
  const { capability = '', input, ...rest } = next
  const name = door.nameOf(capability)
  if (name !== null) return withTool({ ...rest, capability, input }, name)
  // Nobody but a person can look: the caller has no call for it.
  return next.action === 'verify' ? { ...rest, action: 'ask_human' } : rest
}

export function suggestionsAtDoor(
  calls: readonly SuggestedCall[],
  door: Door,
): readonly SuggestedCall[] {
  const known: SuggestedCall[] = []
  for (const call of calls) {
    const name = door.nameOf(call.capability)
    if (name !== null) known.push(withTool(call, name))
  }
  return known
}

function withTool<T extends { readonly capability?: string }>(call: T, name: string): T {
  return name === call.capability ? call : { ...call, tool: name }
}
