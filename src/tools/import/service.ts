import type { JsonSchema } from '../../model/card.ts'
import type { Effect } from '../../model/route.ts'
import type { Security } from './schemes.ts'

/** A service, as its document describes it. */
export interface Service {
  readonly title: string
  readonly operations: readonly Operation[]
  /**
   * Drafts `upstream.yaml`.
   * @param prefix of the upstream's environment variables.
   * @param url replaces the address in the document.
   */
  upstream(prefix: string, url: string | null): UpstreamDraft
}

/** One operation of a document. Only `draft` shows whether a card can express it. */
export interface Operation {
  /** As in the document: `GET /parts/{sku}`, or `query part`. */
  readonly label: string
  /** Its operationId, or the name of its field. */
  readonly name: string | null
  /** Id of the capability by the conventions of cards. Another capability may have it already. */
  readonly id: string
  /** An alternative if `id` is taken. */
  readonly otherId: string
  readonly effect: Effect
  /** @throws {NotExpressible} */
  draft(): Draft
}

/** The content of a card, apart from its id. */
export interface Draft {
  readonly description: string
  readonly input: JsonSchema
  readonly output: JsonSchema
  readonly route: 'rest' | 'graphql'
  /** The section of that route. */
  readonly section: Readonly<Record<string, unknown>>
  /** Further keys of the card, such as `page`. */
  readonly more?: Readonly<Record<string, unknown>>
  /** Comments for the author, one sentence each. */
  readonly notes: readonly string[]
  readonly needsCredential: boolean
}

/** The content of `upstream.yaml`, apart from its id. */
export interface UpstreamDraft {
  readonly route: 'rest' | 'graphql'
  /** The section of that route. */
  readonly section: Readonly<Record<string, unknown>>
  /** Null when the document names no address, so that the operator has to set the variable. */
  readonly url: string | null
  /** In place of `credential`: several schemes, or one that is not a header. */
  readonly security?: Security
  /** True when the document does not say whether the service takes a credential. */
  readonly mayNeedCredential: boolean
  readonly notes: readonly string[]
  /** Files to write beside `upstream.yaml`: name → text. */
  readonly files: Readonly<Record<string, string>>
}
