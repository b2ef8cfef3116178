import { load } from 'js-yaml'
import type { Repository } from '../entities.ts'
import type { Git } from './git.ts'
import { filesOf } from './trees.ts'

export interface IssueTemplate {
  readonly filename: string
  readonly name: string
  readonly about: string | null
  readonly title: string | null
  readonly body: string
  readonly labels: readonly string[]
  readonly assignees: readonly string[]
}

export interface PullRequestTemplate {
  readonly filename: string
  readonly body: string
}

const ISSUE_TEMPLATE = /^\.github\/ISSUE_TEMPLATE\/([^/]+\.md)$/i
const PULL_REQUEST_TEMPLATE = /^(?:\.github\/|docs\/)?(?:PULL_REQUEST_TEMPLATE\/)?([^/]*\.md)$/i
const FRONT = /^---\n([\s\S]*?)\n---\n+/

/** The templates in `.github/ISSUE_TEMPLATE` of the default branch that have a name. */
export function issueTemplates(git: Git, repository: Repository): IssueTemplate[] {
  return textsIn(git, repository, ISSUE_TEMPLATE).flatMap(({ filename, text }) => {
    const front = parseFront(FRONT.exec(text)?.[1] ?? '')
    const { name, about, title } = front
    if (typeof name !== 'string') return []
    return {
      filename,
      name,
      about: typeof about === 'string' ? about : null,
      title: typeof title === 'string' ? title : null,
      body: text.replace(FRONT, ''),
      labels: namesIn(front.labels),
      assignees: namesIn(front.assignees),
    }
  })
}

/** The templates of the default branch. */
export function pullRequestTemplates(git: Git, repository: Repository): PullRequestTemplate[] {
  return textsIn(git, repository, PULL_REQUEST_TEMPLATE)
    .filter(({ path }) => /pull_request_template/i.test(path))
    .map(({ filename, text }) => ({ filename, body: text }))
}

function textsIn(git: Git, repository: Repository, place: RegExp) {
  const commit = git.commitOf(repository, repository.defaultBranch)
  if (!commit) return []
  const { objects } = git.of(repository)
  return [...filesOf(objects, commit.tree)].flatMap(([path, { oid }]) => {
    const filename = place.exec(path)?.[1]
    return filename ? [{ path, filename, text: objects.blob(oid).toString() }] : []
  })
}

function parseFront(text: string): Record<string, unknown> {
  const front: unknown = load(text)
  return typeof front === 'object' && front !== null ? { ...front } : {}
}

/** A list, or names with commas between them. */
function namesIn(value: unknown): string[] {
  const names = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : []
  return names.map(name => String(name).trim()).filter(name => name !== '')
}
