import type { IssueOrPull, Milestone, Repository, Timestamp, User } from './entities.ts'
import { itemsIn } from './items.ts'
import { sortedBy } from './order.ts'
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

/** The sort keys for milestones, by GraphQL's names. */
const orders = {
  CREATED_AT: milestone => milestone.createdAt,
  DUE_DATE: milestone => milestone.dueOn ?? '9999',
  NUMBER: milestone => milestone.number,
  UPDATED_AT: milestone => milestone.updatedAt,
  COMPLETENESS: milestone => {
    const items = itemsOf(milestone)
    return items.filter(item => item.state === 'closed').length / (items.length || 1)
  },
} satisfies Record<string, (milestone: Milestone) => string | number>

/** Equal keys sort by number, in the same direction. No due date counts as the latest. */
export function sortedMilestones(
  milestones: readonly Milestone[],
  order: keyof typeof orders,
  direction: 'asc' | 'desc',
): Milestone[] {
  return sortedBy(milestones, orders[order], direction, ({ number }) => number)
}

export function itemsOf(milestone: Milestone): IssueOrPull[] {
  return itemsIn(milestone.repository).filter(item => item.milestone === milestone)
}
