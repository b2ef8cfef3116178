import type { Milestone, Repository, Timestamp, User } from './entities.ts'
import type { Registry } from './registry.ts'

export interface NewMilestone {
  title: string
  creator: User
  description?: string | null
  dueOn?: Timestamp | null
  createdAt?: Timestamp
}

export class Milestones {
  readonly #registry: Registry

  constructor(registry: Registry) {
    this.#registry = registry
  }

  add(repository: Repository, fields: NewMilestone): Milestone {
    const createdAt = fields.createdAt ?? this.#registry.timestamp()
    const milestone: Milestone = {
      kind: 'Milestone',
      ...this.#registry.identify('Milestone', repository),
      repository,
      number: repository.milestones.length + 1,
      title: fields.title,
      description: fields.description ?? null,
      state: 'open',
      creator: fields.creator,
      dueOn: fields.dueOn ?? null,
      createdAt,
      updatedAt: createdAt,
      closedAt: null,
    }
    repository.milestones.push(milestone)
    return this.#registry.register(milestone)
  }

  find(repository: Repository, number: number): Milestone | undefined {
    return repository.milestones.find(milestone => milestone.number === number)
  }
}
