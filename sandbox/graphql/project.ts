import type * as G from '@octokit/graphql-schema'
import type { Account } from '../store/entities.ts'
import { canSeeProject } from '../store/project-access.ts'
import { visibleContent } from '../store/project-content.ts'
import type {
  DraftIssue,
  Iteration,
  IterationField,
  PlainField,
  ProjectField,
  ProjectItem,
  ProjectV2,
  SingleSelectField,
} from '../store/project-entities.ts'
import { pageUrl, paths } from '../urls.ts'
import { connection } from './connection.ts'
import { notFound } from './errors.ts'
import type { Fields } from './fields.ts'
import { ordered } from './order.ts'
import { listFieldValues } from './project-values.ts'

const projectOrders: Record<G.ProjectV2OrderField, (it: ProjectV2) => string | number> = {
  CREATED_AT: project => project.createdAt,
  NUMBER: project => project.number,
  TITLE: project => project.title,
  UPDATED_AT: project => project.updatedAt,
}

/** Fields that list the projects of a user or organization. */
export const projectOwnerFields: Pick<
  Fields<Account, G.User & G.Organization>,
  'projectV2' | 'projectsV2'
> = {
  projectsV2(owner, args: G.UserProjectsV2Args, { store, principal }, info) {
    if (args.query) throw new Error('sandbox: searching for projects is not modelled')
    const visible = store.projects.of(owner).filter(project => canSeeProject(principal, project))
    const order = args.orderBy ?? { field: 'NUMBER', direction: 'DESC' }
    return connection(ordered(visible, projectOrders, order), args, info)
  },

  projectV2(owner, { number }: G.UserProjectV2Args, { store, principal }) {
    const project = store.projects.find(owner, number)
    if (project && canSeeProject(principal, project)) return project
    throw notFound(`a ProjectV2 with the number ${number}`)
  },
}

export const projectFields: Fields<ProjectV2, G.ProjectV2> = {
  id: project => project.nodeId,
  databaseId: project => project.databaseId,

  number: project => project.number,
  title: project => project.title,
  shortDescription: project => project.shortDescription,
  public: project => project.isPublic,
  closed: project => project.closedAt !== null,
  closedAt: project => project.closedAt,
  creator: project => project.creator,
  owner: project => project.owner,
  template: project => project.isTemplate,
  readme: project => project.readme,
  url: project => pageUrl(paths.project(project)),
  resourcePath: project => paths.project(project),
  createdAt: project => project.createdAt,
  updatedAt: project => project.updatedAt,
  fields: (project, args: G.ProjectV2FieldsArgs, _context, info) =>
    connection(project.fields, args, info),
  items: (project, args: G.ProjectV2ItemsArgs, _context, info) =>
    connection(project.items, args, info),
}

const commonFields = {
  id: field => field.nodeId,
  databaseId: field => field.databaseId,
  name: field => field.name,
  dataType: field => field.dataType,
  project: field => field.project,
  createdAt: field => field.createdAt,
  updatedAt: field => field.updatedAt,
} satisfies Fields<ProjectField, G.ProjectV2FieldCommon>

export const plainFieldFields: Fields<PlainField, G.ProjectV2Field> = commonFields

export const singleSelectFields: Fields<SingleSelectField, G.ProjectV2SingleSelectField> = {
  ...commonFields,
  options: field => field.options.map(option => ({ ...option })),
}

export const iterationFields: Fields<IterationField, G.ProjectV2IterationField> = {
  ...commonFields,
  configuration(field) {
    const withDuration = (iteration: Iteration) => ({ ...iteration, duration: field.duration })
    return {
      duration: field.duration,
      startDay: 1,
      iterations: field.iterations.filter(it => !it.isCompleted).map(withDuration),
      completedIterations: field.iterations.filter(it => it.isCompleted).map(withDuration),
    }
  },
}

const types = { Issue: 'ISSUE', PullRequest: 'PULL_REQUEST', DraftIssue: 'DRAFT_ISSUE' } as const

export const projectItemFields: Fields<ProjectItem, G.ProjectV2Item> = {
  id: item => item.nodeId,
  databaseId: item => item.databaseId,
  fullDatabaseId: item => String(item.databaseId),
  type(item, _args, { principal }) {
    const content = visibleContent(principal, item)
    return content ? types[content.kind] : 'REDACTED'
  },
  content: (item, _args, { principal }) => visibleContent(principal, item),
  creator: item => item.creator,
  fieldValues: listFieldValues,
  isArchived: item => item.archivedAt !== null,
  project: item => item.project,
  createdAt: item => item.createdAt,
  updatedAt: item => item.updatedAt,
}

export const draftIssueFields: Fields<DraftIssue, G.DraftIssue> = {
  id: draft => draft.nodeId,
  title: draft => draft.title,
  body: draft => draft.body,
  creator: draft => draft.creator,
  createdAt: draft => draft.createdAt,
  updatedAt: draft => draft.updatedAt,
}
