import type { Store } from '../../../../sandbox/index.ts'
import type { Input, ManyItemsByCapability, ParityCases } from '../../case.ts'
import { addForeign, foreign, hello, repositoryIn, spoon, times, userIn } from '../../worlds.ts'

const nothing = { owner: 'octo-org', name: 'nothing-here' }

/** Her login begins with a digit and has hyphens. */
const addAda = (store: Store) => void store.accounts.addUser({ login: '4-ada-l' })

const accessOf = (login: string) => (store: Store) => {
  const user = store.accounts.findUser(login)
  return user && (repositoryIn(store).collaborators.get(user) ?? null)
}

function invite(store: Store): void {
  const inviter = userIn(store, 'mallory')
  const repository = store.repositories.add({ owner: inviter, name: '404' })
  store.administration.invite({ repository, invitee: userIn(store), inviter, permission: 'write' })
}

const invitation = (store: Store): Input => ({
  invitationId: store.administration.invitationsOf(userIn(store))[0]?.databaseId,
})

function inviteOthers(store: Store): void {
  const fields = { repository: repositoryIn(store), inviter: userIn(store) }
  for (const login of ['mallory', '4-ada-l']) {
    const invitee = store.accounts.findUser(login) ?? store.accounts.addUser({ login })
    store.administration.invite({ ...fields, invitee, permission: 'triage' })
  }
}

export const cases: ParityCases = {
  'repo.invitations.list': [
    { input: hello, title: 'none' },
    { input: hello, title: 'two', given: inviteOthers },
    { input: foreign, title: 'without the right to', given: addForeign, fails: 'FORBIDDEN' },
    { input: nothing, fails: 'NOT_FOUND' },
  ],
  'repo.invitations.cancel': [
    {
      input: store => ({
        ...hello,
        invitationId: store.administration.invitationsTo(repositoryIn(store))[0]?.databaseId,
      }),
      title: 'one of two',
      given: inviteOthers,
      leaves: {
        look: store =>
          store.administration.invitationsTo(repositoryIn(store)).map(it => it.invitee.login),
        see: ['4-ada-l'],
      },
    },
    { input: { ...hello, invitationId: 404 }, fails: 'NOT_FOUND' },
  ],
  'repo.collaborators.list': [
    { input: hello },
    { input: { ...hello, affiliation: 'OUTSIDE' }, title: 'none from outside' },
    { input: { ...spoon, first: 1 }, title: "a user's repository" },
    { input: foreign, title: 'without the right to', given: addForeign, fails: 'FORBIDDEN' },
    { input: nothing, fails: 'NOT_FOUND' },
  ],
  'repo.collaborators.add': [
    { input: { ...hello, login: 'mallory' }, title: 'by an invitation' },
    { input: { ...hello, login: '4-ada-l', permission: 'READ' }, given: addAda },
    {
      input: { ...hello, login: 'hubot', permission: 'ADMIN' },
      title: 'a member of the organisation',
      leaves: { look: accessOf('hubot'), see: 'admin' },
    },
    { input: { ...hello, login: 'nobody-at-all' }, fails: 'NOT_FOUND' },
    { input: { ...foreign, login: 'hubot' }, given: addForeign, fails: 'FORBIDDEN' },
    { input: { ...hello, login: 'a/b' }, fails: 'VALIDATION' },
  ],
  'repo.collaborators.remove': [
    { input: { ...hello, login: 'hubot' }, leaves: { look: accessOf('hubot'), see: null } },
    { input: { ...hello, login: '4-ada-l' }, title: 'one who is none', given: addAda },
    { input: { ...hello, login: 'nobody-at-all' }, fails: 'NOT_FOUND' },
    { input: { ...foreign, login: 'hubot' }, given: addForeign, fails: 'FORBIDDEN' },
    { input: { ...hello, login: '..' }, fails: 'VALIDATION' },
  ],
  'viewer.invitations.list': [
    { input: {}, title: 'none' },
    { input: {}, title: 'one', given: invite },
    { input: { first: 0 }, fails: 'VALIDATION' },
  ],
  'viewer.invitations.accept': [
    {
      input: invitation,
      title: 'one',
      given: invite,
      leaves: { look: store => store.administration.all(), see: [] },
    },
    { input: { invitationId: 404 }, fails: 'NOT_FOUND' },
  ],
  'viewer.invitations.decline': [
    {
      input: invitation,
      title: 'one',
      given: invite,
      leaves: {
        look: store => [
          store.administration.all(),
          store.repositories.find('mallory', '404')?.collaborators.size,
        ],
        see: [[], 0],
      },
    },
    { input: { invitationId: 404 }, fails: 'NOT_FOUND' },
  ],
}

export const manyItems: ManyItemsByCapability = {
  'repo.invitations.list': {
    given: store =>
      times(231, number => {
        const invitee = store.accounts.addUser({ login: `user-${number}` })
        const fields = { repository: repositoryIn(store), inviter: userIn(store) }
        store.administration.invite({ ...fields, invitee, permission: 'read' })
      }),
    input: hello,
    count: 231,
  },
  'repo.collaborators.list': {
    // The seed has two.
    given: store =>
      times(229, number => {
        const user = store.accounts.addUser({ login: `user-${number}` })
        store.administration.setCollaborator(repositoryIn(store), user, 'read')
      }),
    input: hello,
    count: 231,
  },
  'viewer.invitations.list': {
    given: store =>
      times(231, number => {
        const inviter = userIn(store, 'mallory')
        const repository = store.repositories.add({ owner: inviter, name: `r-${number}` })
        const invitee = userIn(store)
        store.administration.invite({ repository, invitee, inviter, permission: 'read' })
      }),
    input: {},
    count: 231,
  },
}
