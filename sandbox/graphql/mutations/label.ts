import type * as G from '@octokit/graphql-schema'
import { isGiven } from '../../given.ts'
import { requireTriage } from '../../store/access.ts'
import type { Label } from '../../store/entities.ts'
import type { Context, Fields } from '../fields.ts'
import { target, triageable } from './targets.ts'

export const labelMutations: Fields<unknown, G.Mutation> = {
  addLabelsToLabelable(_root, { input }: G.MutationAddLabelsToLabelableArgs, context) {
    const { labelable, labels } = labelsOf(context, input)
    context.store.labels.attach(labelable, labels)
    return { labelable }
  },

  removeLabelsFromLabelable(_root, { input }: G.MutationRemoveLabelsFromLabelableArgs, context) {
    const { labelable, labels } = labelsOf(context, input)
    context.store.labels.detach(labelable, labels)
    return { labelable }
  },

  createLabel(_root, { input }: G.MutationCreateLabelArgs, context) {
    const repository = target(context, input.repositoryId, 'Repository')
    requireTriage(context.principal, repository)
    const label = context.store.labels.add(repository, {
      name: input.name,
      color: input.color,
      description: input.description ?? null,
    })
    return { label }
  },

  updateLabel(_root, { input }: G.MutationUpdateLabelArgs, context) {
    const label = changeableLabel(context, input.id)
    context.store.labels.update(label, {
      ...(isGiven(input.name) && { name: input.name }),
      ...(isGiven(input.color) && { color: input.color }),
      ...(isGiven(input.description) && { description: input.description }),
    })
    return { label }
  },

  deleteLabel(_root, { input }: G.MutationDeleteLabelArgs, context) {
    context.store.labels.delete(changeableLabel(context, input.id))
    return { clientMutationId: input.clientMutationId ?? null }
  },
}

function changeableLabel(context: Context, id: string): Label {
  const label = target(context, id, 'Label')
  requireTriage(context.principal, label.repository)
  return label
}

function labelsOf(context: Context, input: G.AddLabelsToLabelableInput) {
  return {
    labelable: triageable(context, input.labelableId, 'Issue', 'PullRequest'),
    labels: input.labelIds.map(id => target(context, id, 'Label')),
  }
}
