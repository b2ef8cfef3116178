import type { Store } from '../../sandbox/index.ts'
import type { ErrorCode } from '../../src/model/errors.ts'
import type { Route } from '../../src/model/route.ts'

export type Input = Readonly<Record<string, unknown>>

export interface Look<T> {
  readonly look: (at: T) => unknown
  readonly see: unknown
}

// oxlint-disable-next-line typescript/no-explicit-any -- cases look into answers of every capability
export type Data = Readonly<Record<string, any>>

/** One input of one capability, and the expected result on all its routes. */
export interface ParityCase {
  /** The input, or a function that builds it from the seeded store, e.g. with node ids or run ids. */
  readonly input: Input | ((store: Store) => Input)
  /** Changes the seeded store before the call. */
  readonly given?: (store: Store) => void
  /** The error code of every route. Without it, every route must succeed. */
  readonly fails?: ErrorCode
  /** Routes that cannot serve this input, each with the reason. They answer ADAPTER_UNSUPPORTED. */
  readonly except?: Readonly<Partial<Record<Route, string>>>
  /** A look at every route's `data`, and what it must see, beside equality between the routes. */
  readonly answers?: Look<Data>
  /** A look at what every route leaves behind, and what it must see. */
  readonly leaves?: Look<Store>
  /** Describes the input if that is not obvious from its JSON. */
  readonly title?: string
}

/**
 * Capability → its cases. Each file in `cases/` exports this as `cases`, and each capability is in
 * one file. Every route runs a case on a newly seeded store with a stopped clock. All routes must
 * return equal `data` and leave equal state.
 */
export type ParityCases = Readonly<Record<string, readonly ParityCase[]>>

/** A list that fills several pages. */
export interface ManyItems {
  /** Fills the seeded store so that the list has `count` items. */
  readonly given: (store: Store) => void
  readonly input: Input | ((store: Store) => Input)
  /** At least 230, so that with 100 items a page there is a third, partial page. */
  readonly count: number
}

/**
 * List capability → its long list. A file in `cases/` that has lists exports this as `manyItems`.
 * Each route pages through the list with 100 and 7 items a page, and begins it with 1. All routes
 * must return the same list of `count` different items.
 */
export type ManyItemsByCapability = Readonly<Record<string, ManyItems>>
