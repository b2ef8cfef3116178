import type { InputRequiredResult, RequestId } from '@modelcontextprotocol/server'
import type { ApprovalDesk } from '../../src/access/approvals.ts'
import type { Calls } from '../../src/call/calls.ts'
import type { Catalog } from '../../src/cards/catalog.ts'
import type { Hints, Language } from '../../src/hints/registry.ts'
import type { Answer } from '../../src/model/envelope.ts'
import type { Presentation } from '../../src/render/render.ts'
import type { Admission } from './admission.ts'
import type { Elicitation } from './mcp-elicit.ts'
import type { Connection } from './mcp-tools.ts'

/** The parts of the gateway that tools use. */
export interface McpParts {
  readonly calls: Pick<
    Calls,
    'execute' | 'executeBatch' | 'explainBatch' | 'refuse' | 'recordRefusal'
  >
  readonly catalog: Catalog
  readonly hints: Hints
  readonly desk: Pick<ApprovalDesk, 'show' | 'decideAtClient'>
  readonly admission: Admission
  /** Called for refusals of uses that are no calls. */
  readonly onRefused: (answer: Answer, caller: string, wanted: string) => void
}

export interface McpMessage {
  readonly id: RequestId
  /** Aborts when the client cancels the message. */
  readonly signal: AbortSignal
}

/** The client at the other end, whatever transport carries the messages. */
export interface McpClient extends Connection {
  readonly language: Language
  /** Whether it asks for schemas of results, and for results as values. */
  readonly structured: boolean
  /** Its own id for its calls, if the transport carries one. */
  readonly correlationId?: string
  /** The caller's trace context. */
  readonly traceparent?: string
  /**
   * Options that hold for each of its calls.
   * @throws {GatewayError} VALIDATION when they are invalid; it becomes the answer of each call.
   */
  readonly defaults: () => {
    readonly presentation: Presentation
    /** Members of `data`, comma-separated; null for all. */
    readonly fields: string | null
    /** The client's own token for the upstream. */
    readonly upstreamToken: string | null
    /** Whether answers may come from memory; absent where the transport has no headers. */
    readonly cacheControl?: string | undefined
  }
  /** Takes what to call when the answer to a message has been sent, or its client no longer wants it. */
  readonly onSent: (message: McpMessage, release: () => void) => void
  /** Called with each call that begins. */
  readonly onCall?: (call: Promise<unknown>) => void
}

/** One use of a tool. */
export interface ToolUse {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  /** `_meta` of the message. */
  readonly meta: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
  readonly onSent: (release: () => void) => void
  /** By `performance.now()`. */
  readonly startedAt: number
  /** The client's name for itself. */
  readonly host: string | null
  /** Null where the client cannot ask its person. */
  readonly elicitation: Elicitation | null
}

/** The text of a result. */
export interface ToolAnswer {
  readonly text: string
  readonly ok: boolean
  /** Sent in place of the text: the client asks its person, and sends the call again with the answer. */
  readonly question?: InputRequiredResult
  /** Texts that follow it: notes for which its dialect has no place. */
  readonly notes?: readonly string[]
}
