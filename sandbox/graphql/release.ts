import type * as G from '@octokit/graphql-schema'
import { canSeeRelease } from '../store/access.ts'
import type { Release, Repository } from '../store/entities.ts'
import { newestFirst } from '../store/order.ts'
import type { ReleaseAsset } from '../store/release-entities.ts'
import { latestRelease } from '../store/releases.ts'
import { downloadUrl, pageUrl, paths } from '../urls.ts'
import { connection, emptyConnection } from './connection.ts'
import type { Context, Fields, Info } from './fields.ts'
import { ordered } from './order.ts'

export const releaseFields: Fields<Release, G.Release> = {
  id: release => release.nodeId,
  databaseId: release => release.databaseId,
  name: release => release.name,
  tagName: release => release.tagName,
  description: release => release.body,
  author: release => release.author,
  repository: release => release.repository,
  tag: ({ repository, tagName }, _args, { store }) => store.git.tag(repository, tagName) ?? null,
  tagCommit: ({ repository, tagName }, _args, { store }) =>
    store.git.commitOf(repository, `refs/tags/${tagName}`) ?? null,
  url: release => pageUrl(paths.release(release)),
  resourcePath: release => paths.release(release),
  isDraft: release => release.isDraft,
  isPrerelease: release => release.isPrerelease,
  isLatest: release => latestRelease(release.repository) === release,
  createdAt: release => release.createdAt,
  updatedAt: release => release.updatedAt,
  publishedAt: release => release.publishedAt,
  releaseAssets: listAssets,
  reactionGroups: () => [],
  reactions: emptyConnection,
}

function listAssets(
  { assets }: Release,
  args: G.ReleaseReleaseAssetsArgs,
  _context: Context,
  info: Info,
) {
  const named = assets.filter(({ name }) => name === (args.name ?? name))
  return connection(named.map(assetNode), args, info)
}

function assetNode(asset: ReleaseAsset) {
  const { nodeId, name, contentType, content, createdAt, release } = asset
  return {
    nodeId,
    id: nodeId,
    name,
    contentType,
    size: content.length,
    downloadCount: 0,
    downloadUrl: downloadUrl(asset),
    url: downloadUrl(asset),
    createdAt,
    updatedAt: createdAt,
    uploadedBy: asset.uploader,
    release,
  }
}

const releaseOrders: Record<G.ReleaseOrderField, (release: Release) => string> = {
  CREATED_AT: release => release.createdAt,
  NAME: release => release.name ?? '',
}

/** `Repository.releases`. */
export function listReleases(
  repository: Repository,
  args: G.RepositoryReleasesArgs,
  { principal }: Context,
  info: Info,
) {
  const visible = newestFirst(repository.releases).filter(it => canSeeRelease(principal, it))
  return connection(ordered(visible, releaseOrders, args.orderBy), args, info)
}
