import type { ProfileName } from '../../src/model/profile-name.ts'
import type { Knowledge } from '../../src/render/render.ts'

/** The answers that a document describes. */
export interface Described {
  /** A document has one dialect: generators of clients would mix several up in one type. */
  readonly profile: ProfileName
  /** The dialect that the caller gets without asking. */
  readonly usual: ProfileName
  readonly knowledge: Knowledge
  /** Whether the gateway has keys. Without any, nobody needs one. */
  readonly hasKeys: boolean
}
