import type * as G from '@octokit/graphql-schema'
import { requireTriage } from '../../store/access.ts'
import type { Fields } from '../fields.ts'
import { issueOrPull, target } from './targets.ts'

export const labelMutations: Fields<unknown, G.Mutation> = {
  addLabelsToLabelable(_root, { input }: G.MutationAddLabelsToLabelableArgs, context) {
    const labelable = issueOrPull(context, input.labelableId)
    requireTriage(context.principal, labelable.repository)
    const labels = input.labelIds.map(id => target(context, id, 'Label'))
    context.store.labels.attach(labelable, labels)
    return { clientMutationId: input.clientMutationId, labelable }
  },

  removeLabelsFromLabelable(_root, { input }: G.MutationRemoveLabelsFromLabelableArgs, context) {
    const labelable = issueOrPull(context, input.labelableId)
    requireTriage(context.principal, labelable.repository)
    const labels = input.labelIds.map(id => target(context, id, 'Label'))
    context.store.labels.detach(labelable, labels)
    return { clientMutationId: input.clientMutationId, labelable }
  },

  createLabel(_root, { input }: G.MutationCreateLabelArgs, context) {
    const repository = target(context, input.repositoryId, 'Repository')
    requireTriage(context.principal, repository)
    const label = context.store.labels.add(repository, {
      name: input.name,
      color: input.color,
      description: input.description ?? null,
    })
    return { clientMutationId: input.clientMutationId, label }
  },
}
