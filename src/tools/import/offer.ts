import type { JsonSchema } from '../../model/card.ts'
import type { Effect } from '../../model/route.ts'

/** A document that cannot be imported, or a choice that cannot be met; its message has the fix. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
}

/** Why one operation cannot become a card, while the others can. */
export class NotExpressible extends Error {
  override readonly name = 'NotExpressible'
}

/** One operation of a document, before it is known whether a card can express it. */
export interface Offer {
  /** As the document has it: `GET /parts/{sku}`, or `query part`. */
  readonly label: string
  /** Its operationId, or the name of the field. */
  readonly name: string | null
  /** Of the capability, by the conventions of cards; may be taken by another. */
  readonly id: string
  /** What else it may be called, when that one is taken. */
  readonly otherId: string
  readonly effect: Effect
  /** @throws {NotExpressible} */
  draft(): Draft
}

/** What a card says, apart from its id. */
export interface Draft {
  readonly description: string
  readonly input: JsonSchema
  readonly output: JsonSchema
  readonly route: 'rest' | 'graphql'
  /** Its section of the route. */
  readonly section: Readonly<Record<string, unknown>>
  /** Keys of the card beside those, such as `page`. */
  readonly more?: Readonly<Record<string, unknown>>
  /** What the author should know, one sentence each. */
  readonly notes: readonly string[]
  readonly needsCredential: boolean
}

/** What a document describes. */
export interface Service {
  readonly title: string
  readonly offers: readonly Offer[]
  /** The connection of `upstream.yaml`, for an upstream whose variables begin with `prefix`. */
  connection(prefix: string, url: string | null): Connection
}

export interface Connection {
  readonly route: 'rest' | 'graphql'
  readonly section: Readonly<Record<string, unknown>>
  /** Null when the document names none; the variable has to be set then. */
  readonly url: string | null
  /** The document does not say whether it takes one. */
  readonly mayNeedCredential: boolean
  readonly notes: readonly string[]
  /** Files that belong beside `upstream.yaml`: name → text. */
  readonly files: Readonly<Record<string, string>>
}
