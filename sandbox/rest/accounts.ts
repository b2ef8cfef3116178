import type { Account, Visibility } from '../store/entities.ts'
import { type Answer, ok, type RestCall, type RouteTable } from './call.ts'
import { notFound } from './errors.ts'
import { ownProfileJson, profileJson } from './json/account.ts'
import { paged } from './paging.ts'

export const accountRoutes: RouteTable = {
  'GET /user': getSelf,
  'GET /users/:login': getAccount,
  // The sandbox has no events.
  'GET /users/:login/received_events': call => paged(call, [], it => it),
}

function getSelf({ store, viewer, origin }: RestCall): Answer {
  const count = (visibility: Visibility) =>
    store.repositories.ownedBy(viewer).filter(it => it.visibility === visibility).length
  return ok(ownProfileJson(viewer, origin, { public: count('public'), private: count('private') }))
}

function getAccount({ store, params, origin }: RestCall): Answer {
  const account = store.accounts.find(params.login ?? '')
  if (!account) throw notFound()
  return ok(profileJson(account, origin, publicRepositories(account, store)))
}

function publicRepositories(account: Account, store: RestCall['store']): number {
  return store.repositories.ownedBy(account).filter(it => it.visibility === 'public').length
}
