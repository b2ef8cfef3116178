import { assignableUsers } from './access.ts'
import type { PullRequest, Repository, User } from './entities.ts'
import { invalid } from './refusal.ts'
import type { Registry } from './registry.ts'
import { fullName } from './repositories.ts'
import type { Team } from './review-entities.ts'

export class ReviewRequests {
  readonly #registry: Registry

  constructor(registry: Registry) {
    this.#registry = registry
  }

  /** Adds review requests. An undefined reviewer stands for a name that does not exist. */
  add(pullRequest: PullRequest, reviewers: readonly (User | Team | undefined)[]): void {
    const { repository, author, reviewRequests } = pullRequest
    const collaborators = assignableUsers(repository)
    for (const reviewer of reviewers) {
      if (!reviewer || !isAllowed(reviewer, collaborators, repository)) {
        throw noCollaborator(pullRequest)
      }
      if (reviewer === author) throw refused('Review cannot be requested from pull request author.')
    }
    for (const reviewer of reviewers) {
      if (!reviewer || reviewRequests.some(request => request.reviewer === reviewer)) continue
      const request = {
        kind: 'ReviewRequest',
        ...this.#registry.identify('ReviewRequest', repository),
        repository,
        pullRequest,
        reviewer,
      } as const
      reviewRequests.push(this.#registry.register(request))
    }
    this.#touch(pullRequest)
  }

  remove(pullRequest: PullRequest, reviewers: readonly (User | Team | undefined)[]): void {
    pullRequest.reviewRequests = pullRequest.reviewRequests.filter(
      ({ reviewer }) => !reviewers.includes(reviewer),
    )
    this.#touch(pullRequest)
  }

  #touch(pullRequest: PullRequest): void {
    pullRequest.updatedAt = this.#registry.timestamp()
    this.#registry.recordWrite()
  }
}

/** Each team of the owner has access to the repository. */
function isAllowed(reviewer: User | Team, users: readonly User[], { owner }: Repository): boolean {
  return reviewer.kind === 'Team' ? reviewer.organization === owner : users.includes(reviewer)
}

export function usersAsked({ reviewRequests }: PullRequest): User[] {
  return reviewRequests.flatMap(({ reviewer }) => (reviewer.kind === 'Team' ? [] : [reviewer]))
}

export function teamsAsked({ reviewRequests }: PullRequest): Team[] {
  return reviewRequests.flatMap(({ reviewer }) => (reviewer.kind === 'Team' ? [reviewer] : []))
}

function noCollaborator({ repository }: PullRequest) {
  return refused(
    `Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the ${fullName(repository)} repository.`,
  )
}

function refused(message: string) {
  return invalid(message, { resource: 'Issue', field: 'reviewers', code: 'custom', message })
}
