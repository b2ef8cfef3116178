import type { Entity, Repository, Timestamp, User } from './entities.ts'

export interface Release extends Entity<'Release'> {
  repository: Repository
  author: User
  tagName: string
  targetCommitish: string
  name: string | null
  body: string | null
  isDraft: boolean
  isPrerelease: boolean
  createdAt: Timestamp
  updatedAt: Timestamp
  publishedAt: Timestamp | null
  assets: ReleaseAsset[]
}

/** A file of a release. In the sandbox it is not a node that can be looked up by id. */
export interface ReleaseAsset {
  readonly nodeId: string
  readonly databaseId: number
  readonly release: Release
  readonly uploader: User
  readonly name: string
  readonly label: string | null
  readonly contentType: string
  readonly content: Buffer
  readonly createdAt: Timestamp
}
