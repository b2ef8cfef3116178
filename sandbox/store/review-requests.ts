import { assignableUsers } from './access.ts'
import type { PullRequest, User } from './entities.ts'
import { invalid } from './refusal.ts'
import type { Registry } from './registry.ts'
import { fullName } from './repositories.ts'

export class ReviewRequests {
  readonly #registry: Registry

  constructor(registry: Registry) {
    this.#registry = registry
  }

  /** Adds review requests. An undefined reviewer stands for a login that does not exist. */
  add(pullRequest: PullRequest, reviewers: readonly (User | undefined)[]): void {
    const { repository, author, reviewRequests } = pullRequest
    const collaborators = assignableUsers(repository)
    for (const reviewer of reviewers) {
      if (!reviewer || !collaborators.includes(reviewer)) throw noCollaborator(pullRequest)
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

  remove(pullRequest: PullRequest, reviewers: readonly (User | undefined)[]): void {
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

function noCollaborator({ repository }: PullRequest) {
  return refused(
    `Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the ${fullName(repository)} repository.`,
  )
}

function refused(message: string) {
  return invalid(message, { resource: 'Issue', field: 'reviewers', code: 'custom', message })
}
