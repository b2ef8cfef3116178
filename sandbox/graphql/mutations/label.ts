import type * as G from '@octokit/graphql-schema'
import { requireTriage } from '../../store/access.ts'
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
}

function labelsOf(context: Context, input: G.AddLabelsToLabelableInput) {
  return {
    labelable: triageable(context, input.labelableId, 'Issue', 'PullRequest'),
    labels: input.labelIds.map(id => target(context, id, 'Label')),
  }
}
