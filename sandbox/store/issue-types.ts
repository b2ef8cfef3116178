import type { IssueType, IssueTypeColor, Organization, Repository, Timestamp } from './entities.ts'
import type { Registry } from './registry.ts'

export interface NewIssueType {
  name: string
  description?: string | null
  color?: IssueTypeColor
  isEnabled?: boolean
  createdAt?: Timestamp
}

/** The issue types of an organization. They apply to all its repositories. */
export class IssueTypes {
  readonly #registry: Registry

  constructor(registry: Registry) {
    this.#registry = registry
  }

  add(organization: Organization, fields: NewIssueType): IssueType {
    const createdAt = fields.createdAt ?? this.#registry.timestamp()
    const type: IssueType = {
      kind: 'IssueType',
      ...this.#registry.identify('IssueType'),
      name: fields.name,
      description: fields.description ?? null,
      color: fields.color ?? 'gray',
      isEnabled: fields.isEnabled ?? true,
      createdAt,
      updatedAt: createdAt,
    }
    organization.issueTypes.push(type)
    return this.#registry.register(type)
  }
}

/** The issue types of a repository. A repository of a user has none. */
export function issueTypesOf({ owner }: Repository): IssueType[] {
  return owner.kind === 'Organization' ? owner.issueTypes : []
}
