/** The target of a relation, such as `next`, in a `Link` header (RFC 8288); null when the header names none. */
export function linkTarget(header: string, relation: string): string | null {
  for (const link of header.split(/,\s*(?=<)/)) {
    const [, target, parameters = ''] = /^<([^>]*)>(.*)$/.exec(link.trim()) ?? []
    const [, quoted, token = ''] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i.exec(parameters) ?? []
    const relations = (quoted ?? token).toLowerCase().split(/\s+/)
    if (target !== undefined && relations.includes(relation)) return target
  }
  return null
}
