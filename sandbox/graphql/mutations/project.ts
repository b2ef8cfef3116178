import type * as G from '@octokit/graphql-schema'
import { requireProjectWriter } from '../../store/project-access.ts'
import type { ProjectField, ProjectItem, ProjectV2 } from '../../store/project-entities.ts'
import { notFound } from '../errors.ts'
import type { Context, Fields } from '../fields.ts'
import { named, target } from './targets.ts'

export const projectMutations: Fields<unknown, G.Mutation> = {
  addProjectV2ItemById(_root, { input }: G.MutationAddProjectV2ItemByIdArgs, context) {
    const project = writableProject(context, input.projectId)
    const content = named(context, input.contentId, 'Issue', 'PullRequest')
    const item = context.store.projects.addItem(project, content, context.viewer)
    return { item }
  },

  deleteProjectV2Item(_root, { input }: G.MutationDeleteProjectV2ItemArgs, context) {
    const project = writableProject(context, input.projectId)
    context.store.projects.removeItem(itemOf(context, project, input.itemId))
    return { deletedItemId: input.itemId }
  },

  updateProjectV2ItemFieldValue(
    _root,
    { input }: G.MutationUpdateProjectV2ItemFieldValueArgs,
    context,
  ) {
    const { item, field } = itemAndField(context, input)
    context.store.projects.setValue(item, field, input.value)
    return { projectV2Item: item }
  },

  clearProjectV2ItemFieldValue(
    _root,
    { input }: G.MutationClearProjectV2ItemFieldValueArgs,
    context,
  ) {
    const { item, field } = itemAndField(context, input)
    context.store.projects.clearValue(item, field)
    return { projectV2Item: item }
  },
}

function writableProject(context: Context, id: string): ProjectV2 {
  const project = target(context, id, 'ProjectV2')
  requireProjectWriter(context.principal, project)
  return project
}

function itemOf(context: Context, project: ProjectV2, id: string): ProjectItem {
  const item = target(context, id, 'ProjectV2Item')
  if (item.project !== project) throw notFound(`a node with the global id of '${id}'`)
  return item
}

function itemAndField(
  context: Context,
  input: { projectId: string; itemId: string; fieldId: string },
): { item: ProjectItem; field: ProjectField } {
  const project = writableProject(context, input.projectId)
  const item = itemOf(context, project, input.itemId)
  const field = project.fields.find(({ nodeId }) => nodeId === input.fieldId)
  if (!field) throw notFound(`a node with the global id of '${input.fieldId}'`)
  return { item, field }
}
