import type * as G from '@octokit/graphql-schema'
import type { IssueOrPull, User } from '../store/entities.ts'
import type { ProjectField, ProjectItem } from '../store/project-entities.ts'
import { connection } from './connection.ts'
import type { Context, Info } from './fields.ts'

/** `ProjectV2Item.fieldValues`: the values of all fields that have one. */
export function listFieldValues(
  item: ProjectItem,
  args: G.ProjectV2ItemFieldValuesArgs,
  _context: Context,
  info: Info,
) {
  const values = item.project.fields.flatMap(field => {
    const value = valueOf(item, field, info)
    return value ? [{ nodeId: `${item.nodeId} ${field.nodeId}`, field, item, ...value }] : []
  })
  return connection(values, args, info)
}

function valueOf(item: ProjectItem, field: ProjectField, info: Info) {
  const given = item.values.get(field)
  return given === undefined ? contentValue(item.content, field, info) : storedValue(field, given)
}

/** The value of a field that is derived from the item's content. */
function contentValue(content: ProjectItem['content'], { dataType }: ProjectField, info: Info) {
  if (dataType === 'TITLE') return { kind: 'ProjectV2ItemFieldTextValue', text: content.title }
  if (content.kind === 'DraftIssue') return null
  if (dataType === 'ASSIGNEES') return usersOf(content.assignees, info)
  if (dataType === 'LABELS') return labelsOf(content, info)
  if (dataType !== 'REPOSITORY') return null
  return { kind: 'ProjectV2ItemFieldRepositoryValue', repository: content.repository }
}

function storedValue(field: ProjectField, given: string | number) {
  switch (field.dataType) {
    case 'TEXT':
      return { kind: 'ProjectV2ItemFieldTextValue', text: given }
    case 'NUMBER':
      return { kind: 'ProjectV2ItemFieldNumberValue', number: given }
    case 'DATE':
      return { kind: 'ProjectV2ItemFieldDateValue', date: given }
    case 'SINGLE_SELECT': {
      const { id, ...option } = choiceOf(field.options, given)
      return { kind: 'ProjectV2ItemFieldSingleSelectValue', optionId: id, ...option }
    }
    case 'ITERATION': {
      const { id, title, startDate } = choiceOf(field.iterations, given)
      const { duration } = field
      return {
        kind: 'ProjectV2ItemFieldIterationValue',
        iterationId: id,
        title,
        startDate,
        duration,
      }
    }
    default:
      return null
  }
}

function choiceOf<Choice extends { readonly id: string }>(
  choices: readonly Choice[],
  wanted: unknown,
) {
  const choice = choices.find(({ id }) => id === wanted)
  if (!choice) throw new Error(`there is no choice ${String(wanted)}`)
  return choice
}

function usersOf(users: readonly User[], info: Info) {
  if (users.length === 0) return null
  return { kind: 'ProjectV2ItemFieldUserValue', users: connection(users, { first: 100 }, info) }
}

function labelsOf({ labels }: IssueOrPull, info: Info) {
  if (labels.length === 0) return null
  return { kind: 'ProjectV2ItemFieldLabelValue', labels: connection(labels, { first: 100 }, info) }
}
