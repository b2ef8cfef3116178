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

/** A suggested call as the use of a tool, for dialects that know no capabilities. Can be sent unchanged. */
export interface SuggestedUse {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly capability: string
  readonly reason?: string | undefined
}

export function useAtDoor(call: SuggestedCall, { kind }: Door): SuggestedUse {
  const { capability, tool = capability, input, reason } = call
  const args = kind === 'mcp_search' ? { capability, input } : input
  return { tool, args, capability, reason }
}

function withTool<T extends { readonly capability?: string }>(call: T, name: string): T {
  return name === call.capability ? call : { ...call, tool: name }
}
