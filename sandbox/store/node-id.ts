/** The prefixes that GitHub gives to its global ids, by kind of object. */
const prefixes = {
  User: 'U',
  Organization: 'O',
  Repository: 'R',
  Issue: 'I',
  PullRequest: 'PR',
  IssueComment: 'IC',
  Label: 'LA',
  Milestone: 'MI',
  Release: 'RE',
} as const

export type Kind = keyof typeof prefixes

/**
 * A global id in GitHub's present look, e.g. `I_kwDOAAAD6M4AAAPp`: a prefix, then base64url of the
 * MessagePack array `[0, repository id, id]`, or `[0, id]` for what lives outside a repository.
 * Clients must treat it as opaque; having the real alphabet and length finds those that do not.
 */
export function nodeId(kind: Kind, databaseId: number, repositoryId?: number): string {
  const ids = repositoryId === undefined ? [databaseId] : [repositoryId, databaseId]
  const arrayHeader = 0x90 | (ids.length + 1)
  const bytes = Buffer.concat([Buffer.from([arrayHeader, 0]), ...ids.map(uint32)])
  return `${prefixes[kind]}_${bytes.toString('base64url')}`
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(5)
  bytes.writeUInt8(0xce, 0)
  bytes.writeUInt32BE(value, 1)
  return bytes
}
