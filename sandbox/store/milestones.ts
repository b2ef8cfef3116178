import type { IssueOrPull, Milestone, Repository, Timestamp, User } from './entities.ts'
import { itemsIn } from './items.ts'
import { sortedBy } from './order.ts'
import { invalid } from './refusal.ts'
import type { Registry } from './registry.ts'

export interface NewMilestone {
  title: string
  creator: User
  description?: string | null
  dueOn?: Timestamp | null
  createdAt?: Timestamp
}

export type MilestoneChanges = Partial<Pick<Milestone, 'title' | 'description' | 'state' | 'dueOn'>>

export class Milestones {
  readonly #registry: Registry
  /** The last number of each repository. A deleted milestone's number is not used again. */
  readonly #last = new WeakMap<Repository, number>()

  constructor(registry: Registry) {
    this.#registry = registry
  }

  add(repository: Repository, fields: NewMilestone): Milestone {
    this.#checkTitle(repository, fields.title)
    const createdAt = fields.createdAt ?? this.#registry.timestamp()
    const number = (this.#last.get(repository) ?? 0) + 1
    this.#last.set(repository, number)
    const milestone: Milestone = {
      kind: 'Milestone',
      ...this.#registry.identify('Milestone', repository),
      repository,
      number,
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

  update(milestone: Milestone, { state, ...changes }: MilestoneChanges): void {
    if (changes.title !== undefined) {
      this.#checkTitle(milestone.repository, changes.title, milestone)
    }
    const now = this.#registry.timestamp()
    if (state !== undefined && state !== milestone.state) {
      Object.assign(milestone, { state, closedAt: state === 'closed' ? now : null })
    }
    Object.assign(milestone, changes, { updatedAt: now })
    this.#registry.recordWrite()
  }

  /** Deletes a milestone and removes it from all items. */
  delete(milestone: Milestone): void {
    const { repository } = milestone
    for (const item of itemsOf(milestone)) item.milestone = null
    repository.milestones = repository.milestones.filter(it => it !== milestone)
    this.#registry.unregister(milestone)
  }

  /** @param own The milestone being renamed. It may keep its own title. */
  #checkTitle(repository: Repository, title: string, own?: Milestone): void {
    const problem = { resource: 'Milestone', field: 'title' } as const
    if (title.trim() === '') {
      throw invalid("Title can't be blank", { ...problem, code: 'missing_field' })
    }
    if (repository.milestones.some(it => it !== own && it.title === title)) {
      throw invalid('Title has already been taken', { ...problem, code: 'already_exists' })
    }
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
