import { createHash } from 'node:crypto'
import type { Release } from '../../store/entities.ts'
import type { ReleaseAsset } from '../../store/release-entities.ts'
import { downloadUrl, pageUrl, paths } from '../../urls.ts'
import { accountJson } from './account.ts'
import { repositoryUrl } from './api-urls.ts'

export function releaseJson(release: Release, origin: string) {
  const repository = repositoryUrl(release.repository, origin)
  const url = `${repository}/releases/${release.databaseId}`
  const tag = encodeURIComponent(release.tagName)
  return {
    url,
    assets_url: `${url}/assets`,
    upload_url: `${url}/assets{?name,label}`,
    html_url: pageUrl(paths.release(release)),
    id: release.databaseId,
    author: accountJson(release.author, origin),
    node_id: release.nodeId,
    tag_name: release.tagName,
    target_commitish: release.targetCommitish,
    name: release.name,
    draft: release.isDraft,
    immutable: false,
    prerelease: release.isPrerelease,
    created_at: release.createdAt,
    updated_at: release.updatedAt,
    published_at: release.publishedAt,
    assets: release.assets.map(asset => assetJson(asset, origin)),
    // A draft has no tag yet, so there is nothing to download.
    tarball_url: release.isDraft ? null : `${repository}/tarball/${tag}`,
    zipball_url: release.isDraft ? null : `${repository}/zipball/${tag}`,
    body: release.body,
  }
}

export function assetJson(asset: ReleaseAsset, origin: string) {
  const { release, name, content, createdAt } = asset
  return {
    url: `${repositoryUrl(release.repository, origin)}/releases/assets/${asset.databaseId}`,
    id: asset.databaseId,
    node_id: asset.nodeId,
    name,
    label: asset.label,
    uploader: accountJson(asset.uploader, origin),
    content_type: asset.contentType,
    state: 'uploaded',
    size: content.length,
    digest: `sha256:${createHash('sha256').update(content).digest('hex')}`,
    download_count: 0,
    created_at: createdAt,
    updated_at: createdAt,
    browser_download_url: downloadUrl(asset),
  }
}
