import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { ApprovalDesk, Verdict } from '../../src/access/approvals.ts'
import { isObject } from '../../src/lib/is-object.ts'
import { showUnseen } from '../../src/lib/show-unseen.ts'
import { shorten } from '../../src/lib/text.ts'
import { type Approval, MAX_NOTE } from '../../src/model/approval.ts'
import type { Caller } from '../../src/model/caller.ts'
import type { Answer } from '../../src/model/envelope.ts'
import { GatewayError } from '../../src/model/errors.ts'

/** The way from a call to the person at the client. */
export interface Elicitation {
  /** The approval that the client was asked about; undefined for a first call. */
  readonly asked: string | undefined
  readonly response: ReturnType<typeof inputResponse>
}

/** Name of the question in the messages of the protocol. */
const QUESTION = 'approval'

/** Null where the client cannot ask its person. Since the protocol of 2026 each request says so; before, the handshake. */
export function elicitationOf(
  server: Server,
  { envelope, inputResponses, requestState }: ServerContext['mcpReq'],
): Elicitation | null {
  const declared = (envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY]
  const capabilities = (declared ?? server.getClientCapabilities()) as
    | { readonly elicitation?: { readonly form?: object; readonly url?: object } }
    | undefined
  const offered = capabilities?.elicitation
  // A client of 2025 that names no mode means forms.
  if (!offered || (offered.form === undefined && offered.url !== undefined)) return null
  const state: unknown = requestState()
  return {
    asked: typeof state === 'string' ? state : undefined,
    response: inputResponse(inputResponses, QUESTION),
  }
}

/** The next step of a call: a question to the person, a decision to act on, or none, so the answer stays. */
export type Asked =
  | { readonly kind: 'question'; readonly result: InputRequiredResult }
  | { readonly kind: 'decided'; readonly approval: string }
  | null

/**
 * Lets the person at the client decide on a call that waits, if the key says that this person may. The client is trusted
 * to ask: nothing in the protocol proves that a person has answered.
 */
export async function askPerson(
  desk: Pick<ApprovalDesk, 'show' | 'decideAtClient'>,
  caller: Caller,
  elicitation: Elicitation | null,
  { envelope }: Pick<Answer, 'envelope'>,
): Promise<Asked> {
  const id = waitingId(envelope)
  if (elicitation === null || id === null || caller.approveBy !== 'elicitation') return null
  try {
    const { asked, response } = elicitation
    // The answer counts for the question that was asked, and for no other call.
    if (asked !== id || response.kind !== 'elicit') return ask(await desk.show(id))
    const verdict = verdictOf(response)
    if (verdict === null) return null
    await desk.decideAtClient(id, caller, verdict)
  } catch (error) {
    // An operator was faster, or the store is away: the call itself says which.
    if (!(error instanceof GatewayError)) throw error
  }
  return { kind: 'decided', approval: id }
}

/** The approval that an answer waits for; null for any other answer. */
function waitingId({ error }: Answer['envelope']): string | null {
  if (error === null || !('approval_id' in error.next)) return null
  return error.next.approval_id
}

function ask(approval: Approval): Asked {
  const requestedSchema = {
    type: 'object' as const,
    properties: {
      decision: { type: 'string' as const, title: 'Decision', enum: ['approve', 'refuse'] },
      note: { type: 'string' as const, title: 'Note', maxLength: MAX_NOTE },
    },
    required: ['decision'],
  }
  const question = inputRequired.elicit({ message: describe(approval), requestedSchema })
  const requestState = approval.approval_id
  const result = inputRequired({ inputRequests: { [QUESTION]: question }, requestState })
  return { kind: 'question', result }
}

const MAX_INPUT = 2_000

/** Shows the whole call. The input is JSON, so that no text in it looks like a word of the gateway. */
function describe({ capability_id, caller, input, reason }: Approval): string {
  const why = reason === null ? '' : `\nReason given: ${showUnseen(JSON.stringify(reason))}`
  return `May ${caller} call ${capability_id}?${why}\nInput: ${shortened(input)}`
}

/** Cuts each member by itself, and says how long it is: a long text must not hide the repository that it is for. */
function shortened(input: unknown): string {
  const whole = showUnseen(JSON.stringify(input))
  if (whole.length <= MAX_INPUT || !isObject(input)) return shorten(whole, MAX_INPUT)
  const members = Object.entries(input)
  const share = Math.max(LEAST_SHARE, Math.floor(MAX_INPUT / members.length))
  const parts = members.map(([name, value]) => {
    const text = showUnseen(JSON.stringify(value))
    const size = text.length > share ? ` (${text.length} characters)` : ''
    return `${showUnseen(JSON.stringify(name))}: ${shorten(text, share)}${size}`
  })
  return `{\n  ${parts.join(',\n  ')}\n}`
}

const LEAST_SHARE = 80

/** Null when the person has closed the question without an answer. A client may decline without a form. */
function verdictOf({
  action,
  content,
}: Extract<Elicitation['response'], { kind: 'elicit' }>): Verdict | null {
  if (action === 'cancel') return null
  const note = typeof content?.note === 'string' ? content.note.slice(0, MAX_NOTE) : null
  const refused = { approve: false, note: note ?? 'Declined in the client.', forMs: null }
  if (action === 'decline' || content?.decision === 'refuse') return refused
  return content?.decision === 'approve' ? { approve: true, note, forMs: null } : null
}
