import type { Account } from '../entities.ts'
import type { Store } from '../store.ts'
import { isInRange, type Sort } from './query.ts'
import { type Found, type Searchable, search } from './search.ts'

/** GitHub searches users and organizations together. */
export function searchAccounts(store: Store, query: string, sort?: Sort): Found<Account> {
  const repositories = (account: Account) =>
    store.repositories.ownedBy(account).filter(({ visibility }) => visibility === 'public').length
  const accounts: Searchable<Account> = {
    texts: { login: account => account.login, name: account => account.name ?? '' },
    qualifiers: {
      type: (account, value) =>
        (account.kind === 'Organization' ? 'org' : 'user') === value.toLowerCase(),
      repos: (account, value) => isInRange(repositories(account), value),
      created: (account, value) => isInRange(account.createdAt, value),
      user: (account, value) => account.kind === 'User' && account.login === value,
      org: (account, value) => account.kind === 'Organization' && account.login === value,
    },
    notModelled: ['followers', 'language', 'location', 'fullname', 'is', 'sponsorable'],
    orders: { repositories, joined: account => account.createdAt },
    bestMatch: (a, b) => a.databaseId - b.databaseId,
  }
  return search(store.accounts.all(), query, accounts, sort)
}
