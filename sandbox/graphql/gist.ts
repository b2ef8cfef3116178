import type * as G from '@octokit/graphql-schema'
import type { User } from '../store/entities.ts'
import type { Gist } from '../store/gists.ts'
import { connection } from './connection.ts'
import type { Fields } from './fields.ts'

/** Without a `privacy` argument GitHub lists only public gists, even to their owner. */
export const gistOwnerFields: Fields<User, G.User> = {
  gists(owner, args: G.UserGistsArgs, { store, viewer }, info) {
    const privacy = args.privacy ?? 'PUBLIC'
    const listed = store.gists
      .of(owner)
      .filter(({ isPublic }) => isPublic || owner === viewer)
      .filter(({ isPublic }) => privacy === 'ALL' || isPublic === (privacy === 'PUBLIC'))
    return connection(listed, args, info)
  },
}

export const gistFields: Fields<Gist, G.Gist> = {
  id: gist => gist.nodeId,
  name: gist => gist.name,
  description: gist => gist.description,
  isPublic: gist => gist.isPublic,
  isFork: gist => gist.forkOf !== null,
  owner: gist => gist.owner,
  url: gist => `https://gist.github.com/${gist.owner.login}/${gist.name}`,
  createdAt: gist => gist.createdAt,
  updatedAt: gist => gist.updatedAt,
  files: (gist, { limit }: G.GistFilesArgs) =>
    [...gist.files.keys()].slice(0, limit ?? 10).map(name => ({ name })),
}
