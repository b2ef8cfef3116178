import type { Account } from '../store/entities.ts'
import {
  canSeePackage,
  PACKAGE_TYPES,
  type Package,
  type PackageVersion,
  requirePackageAdmin,
  versionsOf,
} from '../store/packages.ts'
import { type Answer, noContent, numberIn, ok, type RestCall, type RouteTable } from './call.ts'
import { invalidRequest, notFound } from './errors.ts'
import { packageJson, packageVersionJson } from './json/package.ts'
import { paged } from './paging.ts'

/** The endpoints are the same below `/orgs/…` and `/users/…`. */
export const packageRoutes: RouteTable = { ...routesOf('orgs'), ...routesOf('users') }

function routesOf(kind: 'orgs' | 'users'): RouteTable {
  const owners = kind === 'orgs' ? 'Organization' : 'User'
  const path = `/${kind}/:owner/packages/:type/:package` as const
  const packageIn = (call: RestCall) => packageOf(call, owners)
  return {
    [`GET /${kind}/:owner/packages`]: (call: RestCall) => listPackages(call, owners),
    [`GET ${path}`]: (call: RestCall) => ok(packageJson(packageIn(call), call)),
    [`DELETE ${path}`]: (call: RestCall) => deletePackage(call, packageIn(call)),
    [`POST ${path}/restore`]: (call: RestCall) => restore(call, packageOf(call, owners, true)),
    [`GET ${path}/versions`]: (call: RestCall) => {
      const versions = versionsOf(packageIn(call), call.query.state === 'deleted')
      return paged(call, versions, it => packageVersionJson(it, call.origin))
    },
    [`GET ${path}/versions/:version`]: (call: RestCall) =>
      ok(packageVersionJson(versionOf(call, packageIn(call)), call.origin)),
    [`DELETE ${path}/versions/:version`]: (call: RestCall) => deleteVersion(call, packageIn(call)),
    [`POST ${path}/versions/:version/restore`]: (call: RestCall) => {
      const owner = packageIn(call)
      return restore(call, owner, versionOf(call, owner, true))
    },
  }
}

function ownerOf({ store, params }: RestCall, kind: Account['kind']): Account {
  const owner = store.accounts.find(params.owner ?? '')
  if (owner?.kind !== kind) throw notFound()
  return owner
}

function listPackages(call: RestCall, kind: Account['kind']): Answer {
  const { package_type: wanted, visibility } = call.query
  const type = PACKAGE_TYPES.find(it => it === wanted)
  if (!type) throw invalidRequest('"package_type" wasn\'t supplied.')
  const listed = call.store.packages
    .of(ownerOf(call, kind), type)
    .filter(it => canSeePackage(call.principal, it))
    .filter(it => visibility === undefined || it.visibility === visibility)
  return paged(call, listed, it => packageJson(it, call))
}

function packageOf(call: RestCall, kind: Account['kind'], isDeleted = false): Package {
  const { type = '', package: name = '' } = call.params
  const found = call.store.packages.find(ownerOf(call, kind), type, name, isDeleted)
  if (!found || !canSeePackage(call.principal, found)) throw notFound()
  return found
}

function versionOf({ params }: RestCall, owner: Package, isDeleted = false): PackageVersion {
  const version = versionsOf(owner, isDeleted).find(
    it => it.databaseId === numberIn(params.version),
  )
  if (!version) throw notFound()
  return version
}

function deletePackage(call: RestCall, removed: Package): Answer {
  requirePackageAdmin(call.principal, removed)
  call.store.packages.delete(removed)
  return noContent()
}

function deleteVersion(call: RestCall, owner: Package): Answer {
  requirePackageAdmin(call.principal, owner)
  call.store.packages.deleteVersion(versionOf(call, owner))
  return noContent()
}

/** @param version The whole package if left out. Its name must not be taken again. */
function restore(call: RestCall, owner: Package, version?: PackageVersion): Answer {
  requirePackageAdmin(call.principal, owner)
  const isTaken = !version && call.store.packages.find(owner.owner, owner.type, owner.name)
  if (isTaken) throw notFound()
  call.store.packages.restore(version ?? owner)
  return noContent()
}
