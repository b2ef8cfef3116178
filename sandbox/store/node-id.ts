/** GitHub's prefixes for global ids, by kind of object. */
const prefixes = {
  User: 'U',
  Bot: 'BOT',
  Mannequin: 'M',
  Organization: 'O',
  Team: 'T',
  Repository: 'R',
  Issue: 'I',
  PullRequest: 'PR',
  IssueComment: 'IC',
  LinkedBranch: 'LB',
  Reaction: 'REA',
  IssueType: 'IT',
  Label: 'LA',
  Milestone: 'MI',
  Release: 'RE',
  ReleaseAsset: 'RA',
  PullRequestReview: 'PRR',
  PullRequestReviewThread: 'PRRT',
  PullRequestReviewComment: 'PRRC',
  ReviewRequest: 'RR',
  Gist: 'G',
  ProjectV2: 'PVT',
  ProjectV2Item: 'PVTI',
  ProjectV2Field: 'PVTF',
  ProjectV2SingleSelectField: 'PVTSSF',
  ProjectV2IterationField: 'PVTIF',
  DraftIssue: 'DI',
  Workflow: 'W',
  WorkflowRun: 'WFR',
  CheckSuite: 'CS',
  CheckRun: 'CR',
  StatusContext: 'SC',
  Discussion: 'D',
  DiscussionCategory: 'DIC',
  DiscussionComment: 'DC',
  Artifact: 'AF',
  RepositoryVulnerabilityAlert: 'RVA',
  RepositoryRuleset: 'RRS',
  BranchProtectionRule: 'BPR',
  Environment: 'EN',
  Deployment: 'DE',
  DeploymentStatus: 'DES',
} as const

const gitPrefixes = { Commit: 'C', Tree: 'T', Blob: 'B', Tag: 'TA', Ref: 'REF' } as const

export type Kind = keyof typeof prefixes
export type GitKind = keyof typeof gitPrefixes

/**
 * A global id in GitHub's current format, e.g. `I_kwDOAAAD6M4AAAPp`: a prefix, then base64url of the
 * MessagePack array `[0, repository id, id]`, or `[0, id]` for objects outside a repository.
 * Clients must treat ids as opaque. The real alphabet and length expose clients that do not.
 */
export function nodeId(kind: Kind, databaseId: number, repositoryId?: number): string {
  const ids = repositoryId === undefined ? [databaseId] : [repositoryId, databaseId]
  return encode(prefixes[kind], ids.map(uint32))
}

/** The id of a git object or ref holds its name instead of a number: a sha, or a full ref name. */
export function gitNodeId(kind: GitKind, repositoryId: number, name: string): string {
  return encode(gitPrefixes[kind], [uint32(repositoryId), string16(name)])
}

export interface ReadGitNodeId {
  kind: GitKind
  repositoryId: number
  name: string
}

export function readGitNodeId(id: string): ReadGitNodeId | undefined {
  const [prefix = ''] = id.split('_', 1)
  const kind = (Object.keys(gitPrefixes) as GitKind[]).find(it => gitPrefixes[it] === prefix)
  const bytes = Buffer.from(id.slice(prefix.length + 1), 'base64url')
  if (!kind || bytes.length < 10) return undefined
  const read = { kind, repositoryId: bytes.readUInt32BE(3), name: bytes.subarray(10).toString() }
  return gitNodeId(kind, read.repositoryId, read.name) === id ? read : undefined
}

function encode(prefix: string, parts: Buffer[]): string {
  const arrayHeader = 0x90 | (parts.length + 1)
  const bytes = Buffer.concat([Buffer.from([arrayHeader, 0]), ...parts])
  return `${prefix}_${bytes.toString('base64url')}`
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(5)
  bytes.writeUInt8(0xce, 0)
  bytes.writeUInt32BE(value, 1)
  return bytes
}

function string16(value: string): Buffer {
  const text = Buffer.from(value)
  const header = Buffer.alloc(3)
  header.writeUInt8(0xda, 0)
  header.writeUInt16BE(text.length, 1)
  return Buffer.concat([header, text])
}
