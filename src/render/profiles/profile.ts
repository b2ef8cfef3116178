import type { TSchema } from '@sinclair/typebox'
import type { Hint } from '../../hints/hint.ts'
import type { Envelope, SuggestedCall } from '../../model/envelope.ts'
import type { Subject } from '../../model/subject.ts'
import type { Budget } from '../budget/budget.ts'
import type { Drop } from '../budget/drop.ts'

/** Where a list goes on. */
export interface Page {
  readonly hasMore: boolean
  readonly cursor?: string
  /** How many there are altogether, where that is known. */
  readonly total?: number
}

/** What dialects tell beside the envelope. Functions are costly, and called only by those that tell it. */
export interface Context {
  readonly subject: Subject
  /** HTTP status of the answer. */
  readonly status: number
  /** Which client asked, by its own account. */
  readonly host: string | null
  readonly budget: Budget | null
  /** Whether anything of the answer is missing. */
  readonly truncated: boolean
  readonly dropped: readonly Drop[]
  /** True when only the indispensable has room. */
  readonly bare: boolean
  /** A quarter of the characters of the answer as it is sent, rounded up; this number included. */
  readonly tokens: number
  readonly page: Page | null
  readonly suggestions: () => readonly SuggestedCall[]
  /** One sentence. */
  readonly summary: () => string
  readonly hint: (id: string) => Hint | null
}

/** A dialect of the envelope: never changes what happened, only how it is told. */
export interface Profile {
  readonly description: string
  /** Of every answer in this dialect, good or bad. */
  readonly schema: TSchema
  /** Media type of a failure, when it has one of its own. */
  readonly failureType?: string
  /** The budget of a call that names none; null is none. */
  readonly defaultBudget: number | null
  /** Whether it tells `tokens`, and so has to be measured. */
  readonly tellsTokens: boolean
  readonly render: (envelope: Envelope, context: Context) => unknown
}
