/** How a caller reaches the gateway. What an answer tells it to call must be something that it can call there. */
export interface Door {
  readonly kind: 'http' | 'mcp' | 'command'
  /** The name by which the caller calls a capability; null when it cannot call it here. */
  readonly nameOf: (capability: string) => string | null
}

/** `POST /v1/capabilities/{id}` and `POST /v1/batch`. */
export const HTTP_DOOR: Door = { kind: 'http', nameOf: id => id }

/** `signalbox call <id>`. */
export const COMMAND_DOOR: Door = { kind: 'command', nameOf: id => id }
