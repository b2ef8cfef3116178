import type { CheckRun, CheckSuite, Workflow, WorkflowRun } from './store/actions/entities.ts'
import type { Discussion, DiscussionComment } from './store/discussion-entities.ts'
import type {
  Account,
  IssueComment,
  IssueOrPull,
  Label,
  Milestone,
  Release,
  Repository,
} from './store/entities.ts'
import type { Package } from './store/packages.ts'
import type { ProjectV2 } from './store/project-entities.ts'
import type { ReleaseAsset } from './store/release-entities.ts'
import { pageName } from './store/releases.ts'
import { fullName } from './store/repositories.ts'
import type { Review, ReviewComment } from './store/review-entities.ts'

/** Web pages exist only as addresses: the sandbox serves none of them. */
const SITE = 'https://github.com'

export const paths = {
  project: ({ owner, number }: ProjectV2) =>
    `/${owner.kind === 'Organization' ? 'orgs' : 'users'}/${owner.login}/projects/${number}`,
  package: ({ owner, type, name }: Package) => {
    const kind = owner.kind === 'Organization' ? 'orgs' : 'users'
    return `/${kind}/${owner.login}/packages/${type}/package/${encodeURIComponent(name)}`
  },
  account: ({ kind, login }: Account) =>
    kind === 'Bot' ? `/apps/${login.replace('[bot]', '')}` : `/${login}`,
  repository: (repository: Repository) => `/${fullName(repository)}`,
  item: (item: IssueOrPull) =>
    `/${fullName(item.repository)}/${item.kind === 'Issue' ? 'issues' : 'pull'}/${item.number}`,
  comment: (comment: IssueComment) =>
    `${paths.item(comment.subject)}#issuecomment-${comment.databaseId}`,
  review: (review: Review) =>
    `${paths.item(review.pullRequest)}#pullrequestreview-${review.databaseId}`,
  reviewComment: (comment: ReviewComment) =>
    `${paths.item(comment.thread.pullRequest)}#discussion_r${comment.databaseId}`,
  discussion: ({ repository, number }: Discussion) =>
    `/${fullName(repository)}/discussions/${number}`,
  discussionComment: ({ discussion, databaseId }: DiscussionComment) =>
    `${paths.discussion(discussion)}#discussioncomment-${databaseId}`,
  label: (label: Label) =>
    `/${fullName(label.repository)}/labels/${encodeURIComponent(label.name)}`,
  milestone: (milestone: Milestone) =>
    `/${fullName(milestone.repository)}/milestone/${milestone.number}`,
  commit: ({ repository, oid }: { repository: Repository; oid: string }) =>
    `/${fullName(repository)}/commit/${oid}`,
  release: (release: Release) =>
    `/${fullName(release.repository)}/releases/tag/${pageName(release)}`,
  workflow: ({ repository, path }: Workflow) =>
    `/${fullName(repository)}/actions/workflows/${path.split('/').at(-1)}`,
  run: ({ repository, databaseId }: WorkflowRun) =>
    `/${fullName(repository)}/actions/runs/${databaseId}`,
  job: (run: WorkflowRun, jobId: number) => `${paths.run(run)}/job/${jobId}`,
  /** A check run of GitHub Actions is a job. */
  checkRun: ({ repository, suite, databaseId }: CheckRun): string =>
    suite.run ? paths.job(suite.run, databaseId) : `/${fullName(repository)}/runs/${databaseId}`,
  checkSuite: ({ repository, headSha, databaseId }: CheckSuite) =>
    `/${fullName(repository)}/commit/${headSha}/checks?check_suite_id=${databaseId}`,
}

/** The web page of an object: `html_url` in REST, `url` in GraphQL. */
export function pageUrl(path: string): string {
  return `${SITE}${path}`
}

export function downloadUrl({ release, name }: ReleaseAsset): string {
  const folder = `${fullName(release.repository)}/releases/download/${pageName(release)}`
  return `${SITE}/${folder}/${encodeURIComponent(name)}`
}

export function avatarUrl(account: Account): string {
  return `https://avatars.githubusercontent.com/u/${account.databaseId}?v=4`
}
