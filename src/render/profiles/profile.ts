import type { TSchema } from '@sinclair/typebox'
import type { Hint } from '../../hints/hint.ts'
import type { Envelope, EnvelopeError, SuggestedCall } from '../../model/envelope.ts'
import type { Subject } from '../../model/subject.ts'
import type { SuggestedUse } from '../at-door.ts'
import type { Budget } from '../budget/budget.ts'
import type { Drop } from '../budget/drop.ts'

/** How a list continues after this answer. */
export interface Page {
  readonly hasMore: boolean
  readonly cursor?: string
  /** The number of all items, if it is known. */
  readonly total?: number
}

/** Facts that dialects include beside the envelope. Functions are costly: a dialect calls only those that it needs. */
export interface Context {
  readonly subject: Subject
  /** HTTP status of the answer. */
  readonly status: number
  /** The client's name for itself. */
  readonly host: string | null
  readonly budget: Budget | null
  /** True when a part of the answer is missing. */
  readonly truncated: boolean
  readonly dropped: readonly Drop[]
  /** True when only the necessary parts fit. */
  readonly bare: boolean
  /** A quarter of the characters of the body, rounded up. The body includes this number. */
  readonly tokens: number
  readonly page: Page | null
  readonly suggestions: () => readonly SuggestedCall[]
  /** The same as uses of tools. */
  readonly suggestedUses: () => readonly SuggestedUse[]
  /** One sentence. */
  readonly summary: () => string
  readonly hint: (id: string) => Hint | null
  /** The whole error, of which a budget may have cut some; null for a success. */
  readonly wholeError: EnvelopeError | null
  /** A random number around data with text that others wrote; null where the dialect or the door has none. */
  readonly fence: number | null
  /** The JSON of the envelope's `meta`, which the journal mostly has written before. */
  readonly metaText: () => string
  /** The same for the envelope's `data`. */
  readonly dataText: () => string
}

/** A dialect of the envelope. Changes only the form of an answer, never its facts. */
export interface Profile {
  readonly description: string
  /** The schema of every answer in this dialect, success or failure. */
  readonly schema: TSchema
  /** The media type of failures, if not application/json. */
  readonly failureType?: string
  /** The budget of a call without one; null is no budget. */
  readonly defaultBudget: number | null
  /** The smallest budget, in tokens, that has room for a failure with its request id and the budget that would do. @default 100 */
  readonly leastBudget?: number
  /** Whether it includes `tokens`, so that its size has to be measured. */
  readonly includesTokens: boolean
  /** `fence`: says where text of others is, and over MCP puts a number around data. `list`: only says where. @default neither */
  readonly untrusted?: 'fence' | 'list'
  /** Whether it has a place for warnings. @default false */
  readonly warns?: boolean
  /** Whether it has a place for what a token budget left out. @default true */
  readonly tellsCuts?: boolean
  readonly render: (envelope: Envelope, context: Context) => unknown
  /** Writes the JSON of `render` faster, in parts that follow each other. @default JSON.stringify */
  readonly write?: (envelope: Envelope, context: Context) => readonly string[]
}
