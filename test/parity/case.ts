import type { Store } from '../../sandbox/store/store.ts'
import type { ErrorCode } from '../../src/model/errors.ts'
import type { Route } from '../../src/model/outcome.ts'

export type Input = Readonly<Record<string, unknown>>

/** One input of one capability, and what all its routes must make of it. */
export interface ParityCase {
  /** The input, or how to find it in the seeded store: node ids, run ids. */
  readonly input: Input | ((store: Store) => Input)
  /** Changes the seeded store first, to what the default world does not have. */
  readonly given?: (store: Store) => void
  /** The code with which every route fails. Without it, every route succeeds. */
  readonly fails?: ErrorCode
  /** Routes that cannot serve this very input, each with the reason; they answer ADAPTER_UNSUPPORTED. */
  readonly except?: Readonly<Partial<Record<Route, string>>>
  /** What to say when the input does not speak for itself. */
  readonly title?: string
}

/**
 * Capability → its cases. Each file of `cases/` exports one as `cases`; a capability belongs to one
 * file. On each route a case runs on a freshly seeded store whose clock stands still: `data` is equal
 * value for value, and so is the state afterwards.
 */
export type ParityCases = Readonly<Record<string, readonly ParityCase[]>>

/** A list that is long enough to page through it in earnest. */
export interface ManyItems {
  /** Fills the seeded store up, so that the list has `count` items. */
  readonly given: (store: Store) => void
  readonly input: Input | ((store: Store) => Input)
  /** At least 230: with 100 a page, that is a third page that is not full. */
  readonly count: number
}

/**
 * List capability → its long list. A file of `cases/` that has lists exports one as `manyItems`. Each
 * route pages through it to the end, with 1, 7 and 100 items a page; what comes out is the same list,
 * of `count` different items.
 */
export type ManyItemsByCapability = Readonly<Record<string, ManyItems>>
