import type { Card } from './card.ts'

/** How a caller reaches the gateway. An answer must only name calls that the caller can make there. */
export interface Door {
  /** `mcp`: each capability is a tool. `mcp_search`: a tool calls all of them. */
  readonly kind: 'http' | 'mcp' | 'mcp_search' | 'command'
  /** The name by which the caller calls a capability; null when it cannot call it here. */
  readonly nameOf: (capability: string) => string | null
}

/** `POST /v1/capabilities/{id}` and `POST /v1/batch`. */
export const HTTP_DOOR: Door = { kind: 'http', nameOf: id => id }

/** `signalbox call <id>`. */
export const COMMAND_DOOR: Door = { kind: 'command', nameOf: id => id }

/** The door for one caller: it names no capability that the caller may not call. */
export function restrictDoor(
  door: Door,
  catalog: { get(id: string): Card | undefined },
  mayCall: (card: Card) => boolean,
): Door {
  return {
    ...door,
    nameOf(id) {
      const card = catalog.get(id)
      return card && !mayCall(card) ? null : door.nameOf(id)
    },
  }
}
