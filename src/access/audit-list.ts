import { decodeRowCursor, encodeAuditCursor } from '../journal/row-cursor.ts'
import type { Page } from '../journal/row-schemas.ts'
import type { AuditHead, AuditRecord } from '../model/audit.ts'
import type { AuditFilter, AuditStore } from '../state/audit.ts'
import { ChainCheck, type Verification } from '../state/audit-chain.ts'

export interface AuditPageRequest {
  readonly limit: number
  readonly after?: string | undefined
  readonly before?: string | undefined
}

type Readable = Pick<AuditStore, 'read'>

/** A page of records, the newest first. */
export async function listAudit(
  audit: Readable,
  filter: AuditFilter,
  { limit, after, before }: AuditPageRequest,
): Promise<Page<AuditRecord>> {
  if (before !== undefined) {
    const from = decodeRowCursor('audit', 'before', before).key
    const found = await audit.read(filter, { direction: 'newer', from, limit: limit + 1 })
    const items = found.slice(0, limit).toReversed()
    return { items, pageInfo: pageInfo(items, { older: true, newer: found.length > limit }) }
  }
  const from =
    after === undefined ? Number.MAX_SAFE_INTEGER : decodeRowCursor('audit', 'after', after).key
  const found = await audit.read(filter, { direction: 'older', from, limit: limit + 1 })
  const items = found.slice(0, limit)
  return {
    items,
    pageInfo: pageInfo(items, { older: found.length > limit, newer: after !== undefined }),
  }
}

const BATCH = 500

/** All records that a filter matches, the oldest first. */
export async function* exportAudit(
  audit: Readable,
  filter: AuditFilter,
): AsyncGenerator<AuditRecord> {
  let from = 0
  for (;;) {
    const found = await audit.read(filter, { direction: 'newer', from, limit: BATCH })
    yield* found
    const last = found.at(-1)
    if (last === undefined || found.length < BATCH) return
    from = last.seq
  }
}

/** @param kept a head that was kept elsewhere; null for none */
export async function verifyStore(
  store: Pick<AuditStore, 'read' | 'head'>,
  kept: AuditHead | null,
): Promise<Verification> {
  const check = new ChainCheck(kept)
  // More records may come while the chain is read.
  const head = await store.head()
  for await (const record of exportAudit(store, {})) {
    if (record.seq > head.seq && (await store.head()).seq >= record.seq) break
    check.add(record)
  }
  return check.end(head)
}

function pageInfo(items: readonly AuditRecord[], more: { older: boolean; newer: boolean }) {
  const [first, last] = [items.at(0), items.at(-1)]
  return {
    hasNextPage: more.older,
    hasPreviousPage: more.newer,
    startCursor: first ? encodeAuditCursor(first.seq) : null,
    endCursor: last ? encodeAuditCursor(last.seq) : null,
  }
}
