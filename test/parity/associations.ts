import type { Store } from '../../sandbox/index.ts'
import type { Data, ParityCase } from './case.ts'
import { hostileNames } from './hostile/names.ts'
import { repositoryIn } from './worlds.ts'

/** Labels whose names are hard to send in a path. */
const hostileLabels = hostileNames('label').map(({ name }) => name)

function addLabels(store: Store): void {
  for (const name of hostileLabels) store.labels.add(repositoryIn(store), { name })
}

const everything = { labels: ['Bug', 'question'], assignees: ['hubot'], milestoneNumber: 1 }

/** The labels, assignees and milestone that an answer shows. */
export const associationsIn = (data: Data) => [
  data.labels,
  data.assignees,
  data.milestone?.number ?? null,
]

/** Cases with labels, assignees and milestones, which issues and pull requests take alike. */
export function associations(input: object): readonly ParityCase[] {
  return [
    {
      input: { ...input, ...everything },
      answers: { look: associationsIn, see: [['bug', 'question'], ['hubot'], 1] },
    },
    ...[hostileLabels.slice(0, 20), hostileLabels.slice(20)].map(labels => ({
      input: { ...input, labels },
      given: addLabels,
      title: `labels with hard names, ${labels.length} of them`,
      answers: { look: (data: Data) => data.labels.toSorted(), see: labels.toSorted() },
    })),
    { input: { ...input, labels: ['bug', 'nothing'] }, fails: 'NOT_FOUND' },
    { input: { ...input, assignees: ['mallory'] }, fails: 'VALIDATION' },
    { input: { ...input, milestoneNumber: 99 }, fails: 'VALIDATION' },
  ]
}

/** Takes labels and assignees away. `given` assigns somebody first. */
export function withNothing(input: object, given: NonNullable<ParityCase['given']>): ParityCase {
  return {
    input: { ...input, labels: [], assignees: [] },
    title: 'no labels, nobody assigned',
    given,
    answers: { look: data => [data.labels, data.assignees], see: [[], []] },
  }
}
