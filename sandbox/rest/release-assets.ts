import { requireWrite } from '../store/access.ts'
import type { ReleaseAsset } from '../store/release-entities.ts'
import {
  type Answer,
  created,
  noContent,
  numberIn,
  ok,
  type RestCall,
  type RouteTable,
} from './call.ts'
import { notFound, validationFailed } from './errors.ts'
import { assetJson } from './json/release.ts'
import { paged } from './paging.ts'
import { releaseOf, visibleReleases } from './releases.ts'
import { redirectToStorage } from './storage-redirect.ts'

export const releaseAssetRoutes: RouteTable = {
  'GET /repos/:owner/:repo/releases/:id/assets': call =>
    paged(call, releaseOf(call).assets, asset => assetJson(asset, call.origin)),
  'POST /repos/:owner/:repo/releases/:id/assets': upload,
  'GET /repos/:owner/:repo/releases/assets/:id': getAsset,
  'DELETE /repos/:owner/:repo/releases/assets/:id': call => {
    const asset = assetOf(call)
    requireWrite(call.principal, asset.release.repository)
    call.store.releaseAssets.delete(asset)
    return noContent()
  },
}

export const releaseAssetMedia = {
  'GET /repos/:owner/:repo/releases/assets/:id': ['octet-stream'],
}

function upload(call: RestCall): Answer {
  const release = releaseOf(call)
  requireWrite(call.principal, release.repository)
  const { name = '', label } = call.query
  if (!name) {
    throw validationFailed({ resource: 'ReleaseAsset', field: 'name', code: 'missing_field' })
  }
  const asset = call.store.releaseAssets.add(release, {
    uploader: call.viewer,
    name,
    label: label || null,
    contentType: call.contentType,
    content: call.raw,
  })
  const answer = assetJson(asset, call.origin)
  return created(answer, answer.url)
}

function getAsset(call: RestCall): Answer {
  const asset = assetOf(call)
  if (call.media === null) return ok(assetJson(asset, call.origin))
  return redirectToStorage(call, 'assets', asset.nodeId)
}

function assetOf(call: RestCall): ReleaseAsset {
  const id = numberIn(call.params.id)
  const asset = visibleReleases(call)
    .flatMap(({ assets }) => assets)
    .find(({ databaseId }) => databaseId === id)
  if (!asset) throw notFound()
  return asset
}
