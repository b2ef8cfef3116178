import type { ProjectField, ProjectItem, ProjectV2, Store } from '../../../../sandbox/index.ts'
import { ofActors } from '../../actors.ts'
import type { Input, ManyItemsByCapability, ParityCase, ParityCases } from '../../case.ts'
import { issueIn, pullIn, repositoryIn, times, userIn } from '../../worlds.ts'

const roadmap = { owner: 'octo-org', projectNumber: 1 }
const page = 'https://github.com/octo-org/hello-world'

function projectIn(store: Store, { owner, projectNumber } = roadmap): ProjectV2 {
  const account = store.accounts.find(owner)
  const project = account && store.projects.find(account, projectNumber)
  if (!project) throw new Error(`the seed has no project ${projectNumber} of ${owner}`)
  return project
}

function itemIn(store: Store, index = 0): ProjectItem {
  const item = projectIn(store).items[index]
  if (!item) throw new Error(`the project has no item ${index}`)
  return item
}

function fieldIn(store: Store, name: string): ProjectField {
  const field = projectIn(store).fields.find(it => it.name === name)
  if (!field) throw new Error(`the project has no field ${name}`)
  return field
}

function setting(name: string, value: Input, more: Partial<ParityCase> = {}): ParityCase {
  return {
    title: `${name} to ${JSON.stringify(value)}`,
    input: store => ({
      projectId: projectIn(store).nodeId,
      itemId: itemIn(store).nodeId,
      fieldId: fieldIn(store, name).nodeId,
      ...value,
    }),
    ...more,
  }
}

/** Adds an item whose issue the viewer cannot see, and an archived item. */
function withHiddenAndArchived(store: Store): void {
  const mallory = userIn(store, 'mallory')
  const hidden = repositoryIn(store, { owner: 'mallory', name: 'hidden' })
  store.projects.addItem(projectIn(store), issueIn(store, 1, hidden), mallory)
  itemIn(store).archivedAt = '2026-02-01T00:00:00Z'
}

const fails = 'VALIDATION'

export const cases: ParityCases = {
  'project_v2.org.view': [
    ...ofActors(
      { org: 'octo-org', projectNumber: 1 },
      (store, creator) => Object.assign(projectIn(store), { creator }),
      data => data.creator,
    ),
    { input: { org: 'octo-org', projectNumber: 1 } },
    { input: { org: 'OCTO-ORG', projectNumber: 2 }, title: 'one that is closed' },
    {
      title: 'a template with a readme',
      given: store => {
        const [creator, readme] = [userIn(store, 'hubot'), '# Read\n']
        const owner = repositoryIn(store).owner
        store.projects.add({ owner, creator, title: 'Begin here', isTemplate: true, readme })
      },
      input: { org: 'octo-org', projectNumber: 3 },
      answers: {
        look: ({ template, creator, number }) => [template, creator, number],
        see: [true, 'hubot', 3],
      },
    },
    { input: { org: 'octo-org', projectNumber: 99 }, fails: 'NOT_FOUND' },
    { input: { org: 'octocat', projectNumber: 1 }, title: 'of a user', fails: 'NOT_FOUND' },
    { input: { org: 'nobody-at-all', projectNumber: 1 }, fails: 'NOT_FOUND' },
  ],
  'project_v2.user.view': [
    {
      title: 'what only GraphQL has',
      given: store => {
        projectIn(store, { owner: 'octocat', projectNumber: 1 }).readme = '# Read\n'
      },
      input: { user: 'octocat', projectNumber: 1, include: ['readme', 'itemCount'] },
      except: { rest: 'no readme', cli: 'no readme' },
      answers: { look: ({ readme, itemCount }) => [readme, itemCount], see: ['# Read\n', 0] },
    },
    { input: { user: 'octocat', projectNumber: 1 } },
    { input: { user: 'mallory', projectNumber: 1 }, title: "another's, which is public" },
    {
      input: { user: 'octo-org', projectNumber: 1 },
      title: 'of an organisation',
      fails: 'NOT_FOUND',
    },
    { input: { user: 'mallory', projectNumber: 2 }, fails: 'NOT_FOUND' },
    {
      title: "another's, which is private",
      given: store => {
        const mallory = userIn(store, 'mallory')
        store.projects.add({ owner: mallory, creator: mallory, title: 'Mine' })
      },
      input: { user: 'mallory', projectNumber: 2 },
      fails: 'NOT_FOUND',
    },
  ],
  'project_v2.list': [
    {
      input: { owner: 'octo-org' },
      answers: {
        look: data => data.items.map((it: { number: number }) => it.number),
        see: [2, 1],
      },
    },
    { input: { owner: 'octo-org', first: 1 } },
    { input: { owner: 'octocat' }, title: 'of a user' },
    {
      input: { owner: 'mallory' },
      title: "another's, of which one is private",
      given: store => {
        const mallory = userIn(store, 'mallory')
        store.projects.add({ owner: mallory, creator: mallory, title: 'Mine' })
      },
      answers: { look: data => data.items.length, see: 1 },
    },
    { input: { owner: 'hubot' }, title: 'an empty list' },
    { input: { owner: 'nobody-at-all' }, fails: 'NOT_FOUND' },
  ],
  'project_v2.fields.list': [
    { input: roadmap },
    { input: { ...roadmap, first: 3 } },
    { input: { owner: 'octocat', projectNumber: 1 }, title: 'of a user' },
    { input: { ...roadmap, projectNumber: 99 }, fails: 'NOT_FOUND' },
    { input: { owner: 'nobody-at-all', projectNumber: 1 }, fails: 'NOT_FOUND' },
  ],
  'project_v2.items.list': [
    { input: roadmap },
    { input: { ...roadmap, first: 2 } },
    { input: roadmap, title: 'hidden and archived ones', given: withHiddenAndArchived },
    { input: { owner: 'octocat', projectNumber: 1 }, title: 'an empty list' },
    { input: { ...roadmap, projectNumber: 99 }, fails: 'NOT_FOUND' },
  ],
  'project_v2.items.issue.add': [
    { input: { ...roadmap, issueUrl: `${page}/issues/2` } },
    { input: { ...roadmap, issueUrl: `${page}/pull/8` }, title: 'a pull request' },
    { input: { ...roadmap, issueUrl: `${page}/issues/1` }, title: 'what is there already' },
    {
      title: 'to the project of a user',
      input: { owner: 'octocat', projectNumber: 1, issueUrl: `${page}/issues/2` },
    },
    {
      title: 'a pull request by the address of an issue',
      input: { ...roadmap, issueUrl: `${page}/issues/8` },
      fails: 'NOT_FOUND',
    },
    {
      title: 'an issue of another host',
      input: { ...roadmap, issueUrl: 'https://gitlab.com/octo-org/hello-world/issues/2' },
      fails: 'NOT_FOUND',
    },
    { input: { ...roadmap, issueUrl: `${page}/issues/9999` }, fails: 'NOT_FOUND' },
    {
      input: { ...roadmap, issueUrl: 'https://github.com/mallory/hidden/issues/1' },
      fails: 'NOT_FOUND',
    },
    {
      input: { owner: 'octo-org', projectNumber: 99, issueUrl: `${page}/issues/2` },
      fails: 'NOT_FOUND',
    },
    {
      title: "to another's project",
      input: { owner: 'mallory', projectNumber: 1, issueUrl: `${page}/issues/2` },
      fails: 'FORBIDDEN',
    },
    { input: { ...roadmap, issueUrl: `${page}/issues/2?x=1` }, fails },
  ],
  'project_v2.items.issue.remove': [
    { input: store => ({ ...roadmap, itemId: itemIn(store, 1).nodeId }) },
    {
      title: 'behind the first page of the list',
      given: store =>
        times(120, number => {
          store.projects.addDraft(projectIn(store), `Draft ${number}`, userIn(store))
        }),
      input: store => ({ ...roadmap, itemId: itemIn(store, 123).nodeId }),
    },
    {
      title: 'an item of another project',
      input: store => ({ ...roadmap, projectNumber: 2, itemId: itemIn(store).nodeId }),
      fails: 'NOT_FOUND',
    },
    {
      title: 'an issue itself',
      input: store => ({ ...roadmap, itemId: issueIn(store, 1).nodeId }),
      fails: 'NOT_FOUND',
    },
    {
      title: "from another's project",
      given: store => {
        const project = projectIn(store, { owner: 'mallory', projectNumber: 1 })
        store.projects.addItem(project, pullIn(store, 4), userIn(store, 'mallory'))
      },
      input: store => {
        const project = projectIn(store, { owner: 'mallory', projectNumber: 1 })
        return { owner: 'mallory', projectNumber: 1, itemId: project.items[0]?.nodeId }
      },
      fails: 'FORBIDDEN',
    },
  ],
  'project_v2.items.field.update': [
    setting('Note', { valueText: '--input=/etc/passwd $(reboot)' }),
    setting('Estimate', { valueNumber: 2.5 }),
    setting('Estimate', { valueNumber: 0 }),
    setting('Due', { valueDate: '2026-03-04' }),
    setting('Status', { valueSingleSelectOptionId: '47fc9ee4' }),
    setting('Sprint', { valueIterationId: '5e6f7a8b' }),
    setting('Note', { valueText: 'once more', clear: false }),
    setting(
      'Note',
      { clear: true },
      {
        given: store =>
          store.projects.setValue(itemIn(store), fieldIn(store, 'Note'), { text: 'x' }),
      },
    ),
    setting('Status', { valueSingleSelectOptionId: 'none' }, { fails }),
    setting('Note', { valueNumber: 1 }, { fails }),
    setting('Title', { valueText: 'x' }, { fails }),
    setting('Due', { valueDate: 'tomorrow' }, { fails }),
    setting('Note', {}, { fails }),
    setting('Note', { valueText: 'x', clear: true }, { fails }),
    setting('Note', { valueText: 'x', itemId: 'PVTI_nothing' }, { fails: 'NOT_FOUND' }),
    setting('Note', { valueText: 'x', fieldId: 'PVTF_nothing' }, { fails: 'NOT_FOUND' }),
  ],
}

export const manyItems: ManyItemsByCapability = {
  'project_v2.list': {
    given: store => {
      const owner = userIn(store, 'hubot')
      times(230, number => {
        store.projects.add({ owner, creator: owner, title: `Project ${number}`, isPublic: true })
      })
    },
    input: { owner: 'hubot' },
    count: 230,
  },
  'project_v2.items.list': {
    given: store =>
      times(230, number => {
        const project = projectIn(store, { owner: 'octocat', projectNumber: 1 })
        store.projects.addDraft(project, `Draft ${number}`, userIn(store))
      }),
    input: { owner: 'octocat', projectNumber: 1 },
    count: 230,
  },
  // The title is a field too.
  'project_v2.fields.list': {
    given: store =>
      times(229, number => {
        const project = projectIn(store, { owner: 'octocat', projectNumber: 1 })
        store.projects.addField(project, { name: `Field ${number}`, dataType: 'TEXT' })
      }),
    input: { owner: 'octocat', projectNumber: 1 },
    count: 230,
  },
}
