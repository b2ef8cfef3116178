import { visibleContent } from '../../store/project-content.ts'
import type {
  DraftIssue,
  ProjectField,
  ProjectItem,
  ProjectV2,
} from '../../store/project-entities.ts'
import type { RestCall } from '../call.ts'
import { accountJson } from './account.ts'
import { issueJson } from './issue.ts'
import { pullRequestJson } from './pull-request.ts'

function projectUrl({ owner, number }: ProjectV2, origin: string): string {
  const kind = owner.kind === 'Organization' ? 'orgs' : 'users'
  return `${origin}/${kind}/${owner.login}/projectsV2/${number}`
}

export function projectJson(project: ProjectV2, origin: string) {
  return {
    id: project.databaseId,
    node_id: project.nodeId,
    owner: accountJson(project.owner, origin),
    creator: accountJson(project.creator, origin),
    title: project.title,
    description: null,
    public: project.isPublic,
    closed_at: project.closedAt,
    created_at: project.createdAt,
    updated_at: project.updatedAt,
    number: project.number,
    short_description: project.shortDescription,
    deleted_at: null,
    deleted_by: null,
    state: project.closedAt === null ? 'open' : 'closed',
    latest_status_update: null,
    is_template: project.isTemplate,
  }
}

export function projectFieldJson(field: ProjectField, origin: string) {
  return {
    id: field.databaseId,
    node_id: field.nodeId,
    project_url: projectUrl(field.project, origin),
    name: field.name,
    data_type: field.dataType.toLowerCase(),
    ...(field.dataType === 'SINGLE_SELECT' && {
      options: field.options.map(({ id, name, description, color }) => ({
        id,
        name: richText(name),
        description: richText(description),
        color,
      })),
    }),
    ...(field.dataType === 'ITERATION' && {
      configuration: {
        start_day: 1,
        duration: field.duration,
        iterations: field.iterations.map(({ id, title, startDate, isCompleted }) => ({
          id,
          title: richText(title),
          start_date: startDate,
          duration: field.duration,
          completed: isCompleted,
        })),
      },
    }),
    created_at: field.createdAt,
    updated_at: field.updatedAt,
  }
}

function richText(raw: string) {
  return { raw, html: raw.replaceAll('&', '&amp;').replaceAll('<', '&lt;') }
}

export function projectItemJson(item: ProjectItem, { origin, principal }: RestCall) {
  const url = projectUrl(item.project, origin)
  const content = visibleContent(principal, item)
  return {
    id: item.databaseId,
    node_id: item.nodeId,
    project_url: url,
    content_type: item.content.kind,
    content:
      content &&
      (content.kind === 'DraftIssue'
        ? draftJson(content, origin)
        : content.kind === 'Issue'
          ? issueJson(content, origin)
          : pullRequestJson(content, origin, principal)),
    creator: accountJson(item.creator, origin),
    created_at: item.createdAt,
    updated_at: item.updatedAt,
    archived_at: item.archivedAt,
    item_url: `${url}/items/${item.databaseId}`,
  }
}

function draftJson(draft: DraftIssue, origin: string) {
  return {
    id: draft.databaseId,
    node_id: draft.nodeId,
    title: draft.title,
    body: draft.body,
    user: accountJson(draft.creator, origin),
    created_at: draft.createdAt,
    updated_at: draft.updatedAt,
  }
}
