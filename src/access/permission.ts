import { type Caller, describeCaller } from '../model/caller.ts'
import type { Card } from '../model/card.ts'
import { matchesCard } from '../model/card-pattern.ts'
import { GatewayError } from '../model/errors.ts'
import { isSelected } from '../model/tool-selection.ts'

/** The facts of a card that decide who may call it. */
type Decided = Pick<Card, 'id' | 'effect' | 'destructive' | 'scope'>

/** Whether a caller may call a capability. Every door, list, suggestion and document asks this. */
export function mayCall(caller: Caller, card: Decided): boolean {
  return isOffered(caller, card) && refusalOf(caller, card) === null
}

/** Whether the connection of a caller offers a capability. Only those of MCP select. */
export function isOffered({ selections = [] }: Caller, card: Decided): boolean {
  return selections.every(selection => isSelected(selection, card))
}

/**
 * Checks the key before the input, so that a caller without permission learns nothing else about the call.
 * @throws {GatewayError} FORBIDDEN, which says what would allow the call.
 */
export function requirePermission(caller: Caller, card: Decided): void {
  if (!isOffered(caller, card)) throw notOffered(card)
  const refusal = refusalOf(caller, card)
  if (refusal === null) return
  throw new GatewayError(
    'FORBIDDEN',
    `The ${describeCaller(caller)} may not call ${card.id}: ${refusal}`,
    { source: 'caller', details: { reason: 'KEY_FORBIDDEN', capability: card.id } },
  )
}

/** Whether a person has to approve each call of a capability by this caller. Says nothing of calls that it may not make. */
export function needsApproval({ permission }: Caller, card: Decided): boolean {
  return permission?.approve.some(pattern => matchesCard(pattern, card)) ?? false
}

function notOffered({ id }: Decided): GatewayError {
  return new GatewayError(
    'FORBIDDEN',
    `This connection does not offer ${id}: its "tools" leave it out. The configuration of the client, or of its gateway key, can name it.`,
    { source: 'caller', details: { reason: 'NOT_OFFERED', capability: id } },
  )
}

/**
 * Whether a caller may read /metrics and nothing else: `metrics` is its only scope, and the settings allow it no capability.
 * Monitoring stores its secret in plain text, so the secret must not reach the services.
 */
export function isMonitor({ operator, scopes = [], permission }: Caller): boolean {
  const isScoped = scopes.length > 0 && scopes.every(scope => scope === 'metrics')
  return isScoped && !operator && (permission?.allow ?? []).length === 0
}

/** Returns the refusal of any other endpoint to a caller that may only read /metrics. */
export function refuseMonitor(caller: Caller): GatewayError | undefined {
  if (!isMonitor(caller)) return undefined
  return new GatewayError(
    'FORBIDDEN',
    `The ${describeCaller(caller)} may only read /metrics: ${MONITOR_ONLY}`,
    { source: 'caller', details: { reason: 'KEY_FORBIDDEN' } },
  )
}

const MONITOR_ONLY =
  'its only scope is metrics, and no allow list names more. The operator can give it one.'

/** The reason and its cure, as the end of a sentence; null if the caller may. Deny beats allow. */
function refusalOf(caller: Caller, card: Decided): string | null {
  if (isMonitor(caller)) return MONITOR_ONLY
  const { scopes = [], permission } = caller
  const { scope } = card
  if (scope !== null && !scopes.includes(scope)) {
    return `it lacks the scope ${scope}, which the operator can give it.`
  }
  if (permission === undefined) return null
  const { allow, deny, lack } = permission
  if (lack !== undefined) return `${lack} The operator can change that.`
  const denied = deny.find(pattern => matchesCard(pattern, card))
  if (denied) return `its deny list has "${denied.text}", which the operator can take out.`
  if (allow === null || allow.some(pattern => matchesCard(pattern, card))) return null
  return `its allow list does not name it. The operator can add "${card.id}".`
}
