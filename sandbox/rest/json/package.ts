import type { Package, PackageVersion } from '../../store/packages.ts'
import { versionsOf } from '../../store/packages.ts'
import { pageUrl, paths } from '../../urls.ts'
import type { RestCall } from '../call.ts'
import { accountJson } from './account.ts'
import { repositoryJson } from './repository.ts'

function apiUrl({ owner, type, name }: Package, origin: string): string {
  const kind = owner.kind === 'Organization' ? 'orgs' : 'users'
  return `${origin}/${kind}/${owner.login}/packages/${type}/${encodeURIComponent(name)}`
}

export function packageJson(shown: Package, { origin, principal }: RestCall) {
  return {
    id: shown.databaseId,
    name: shown.name,
    package_type: shown.type,
    owner: accountJson(shown.owner, origin),
    version_count: versionsOf(shown).length,
    visibility: shown.visibility,
    url: apiUrl(shown, origin),
    created_at: shown.createdAt,
    updated_at: shown.updatedAt,
    ...(shown.repository && { repository: repositoryJson(shown.repository, origin, principal) }),
    html_url: pageUrl(paths.package(shown)),
  }
}

export function packageVersionJson(version: PackageVersion, origin: string) {
  const page = pageUrl(paths.package(version.package))
  const { type } = version.package
  return {
    id: version.databaseId,
    name: version.name,
    url: `${apiUrl(version.package, origin)}/versions/${version.databaseId}`,
    package_html_url: page,
    ...(version.license !== null && { license: version.license }),
    ...(version.description !== null && { description: version.description }),
    created_at: version.createdAt,
    updated_at: version.updatedAt,
    ...(version.deletedAt !== null && { deleted_at: version.deletedAt }),
    html_url: `${page}/${version.databaseId}`,
    metadata: {
      package_type: type,
      ...(type === 'container' && { container: { tags: version.tags } }),
    },
  }
}
