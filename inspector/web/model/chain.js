/**
 * @typedef {import('../../../src/model/audit.ts').AuditRecord} AuditRecord
 * @typedef {import('../../../src/journal/row-schemas.ts').Page<AuditRecord> & { readonly head: { readonly seq: number, readonly hash: string } }} AuditPageData
 */

/**
 * The place where the chain of a page breaks, in words; null if each record names the one before it.
 * @param {readonly Pick<AuditRecord, 'seq' | 'hash' | 'previous_hash'>[]} records the newest first
 */
export function chainStateOf(records) {
  for (const [at, record] of records.entries()) {
    const before = records[at + 1]
    if (before === undefined) return null
    if (record.seq !== before.seq + 1)
      return `Records between ${before.seq} and ${record.seq} are missing.`
    if (record.previous_hash !== before.hash)
      return `Record ${record.seq} does not follow record ${before.seq}.`
  }
  return null
}
