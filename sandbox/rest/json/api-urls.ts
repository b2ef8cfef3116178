import type { WorkflowRun } from '../../store/actions/entities.ts'
import type { IssueOrPull, PullRequest, Repository } from '../../store/entities.ts'
import { fullName } from '../../store/repositories.ts'

export function repositoryUrl(repository: Repository, origin: string): string {
  return `${origin}/repos/${fullName(repository)}`
}

/** A pull request has an address as an issue too. */
export function issueUrl({ repository, number }: IssueOrPull, origin: string): string {
  return `${repositoryUrl(repository, origin)}/issues/${number}`
}

export function pullUrl({ repository, number }: PullRequest, origin: string): string {
  return `${repositoryUrl(repository, origin)}/pulls/${number}`
}

export function runUrl({ repository, databaseId }: WorkflowRun, origin: string): string {
  return `${repositoryUrl(repository, origin)}/actions/runs/${databaseId}`
}
