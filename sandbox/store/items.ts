import type { Issue, IssueOrPull, PullRequest, Repository } from './entities.ts'

/** The issues and pull requests of a repository, by number. */
export function itemsIn({ items }: Repository): IssueOrPull[] {
  return [...items.values()]
}

export function issuesIn(repository: Repository): Issue[] {
  return itemsIn(repository).filter(item => item.kind === 'Issue')
}

export function pullRequestsIn(repository: Repository): PullRequest[] {
  return itemsIn(repository).filter(item => item.kind === 'PullRequest')
}
