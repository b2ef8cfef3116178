import { invalid } from './refusal.ts'
import type { Registry } from './registry.ts'
import type { Release, ReleaseAsset } from './release-entities.ts'

export type NewAsset = Pick<ReleaseAsset, 'uploader' | 'name' | 'label' | 'contentType' | 'content'>

export class ReleaseAssets {
  readonly #registry: Registry

  constructor(registry: Registry) {
    this.#registry = registry
  }

  add(release: Release, fields: NewAsset): ReleaseAsset {
    const name = storedName(fields.name)
    if (release.assets.some(asset => asset.name === name)) {
      const problem = { resource: 'ReleaseAsset', field: 'name', code: 'already_exists' } as const
      throw invalid('name already exists', problem)
    }
    const identity = this.#registry.identify('ReleaseAsset', release.repository)
    const createdAt = this.#registry.timestamp()
    const asset: ReleaseAsset = { ...identity, ...fields, name, release, createdAt }
    release.assets.push(asset)
    this.#registry.recordWrite()
    return asset
  }

  delete(asset: ReleaseAsset): void {
    const { release } = asset
    release.assets = release.assets.filter(it => it !== asset)
    this.#registry.recordWrite()
  }
}

/** Like GitHub, replaces characters that do not fit in a URL with a dot. */
function storedName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9._@+-]+/g, '.')
}
