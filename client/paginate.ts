import type { CallOptions, CapabilitiesOf, Client, Id } from './client.ts'
import { unwrap } from './result.ts'

interface Page {
  readonly items: readonly unknown[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

/** Ids of the capabilities that answer a page of a list. */
type ListId<C extends CapabilitiesOf<C>> = {
  [K in Id<C>]: C[K]['output'] extends Page ? K : never
}[Id<C>]

type Item<Output> = Output extends { readonly items: readonly (infer I)[] } ? I : never

/**
 * Yields the items of a list, page after page, as they are asked for.
 * @throws {SignalboxError} for a page that fails
 */
export async function* paginate<C extends CapabilitiesOf<C>, K extends ListId<C>>(
  client: Client<C>,
  id: K,
  input: C[K]['input'],
  options: Omit<CallOptions, 'idempotencyKey'> = {},
): AsyncGenerator<Item<C[K]['output']>, void> {
  let after: string | null = null
  do {
    const page: object = after === null ? {} : { after }
    const data = await unwrap(client.call(id, { ...(input as object), ...page }, options))
    const { items, pageInfo } = data as Page
    yield* items as Item<C[K]['output']>[]
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null
  } while (after !== null)
}
