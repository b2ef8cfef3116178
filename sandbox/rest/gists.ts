import { isGiven } from '../given.ts'
import { isJsonObject, type JsonObject } from '../json.ts'
import type { FileChange, Gist } from '../store/gists.ts'
import { optionalText } from './body.ts'
import { type Answer, created, noContent, ok, type RestCall, type RouteTable } from './call.ts'
import { invalidRequest, notFound } from './errors.ts'
import { fullGistJson, gistJson } from './json/gist.ts'
import { paged } from './paging.ts'

export const gistRoutes: RouteTable = {
  'GET /gists': call =>
    paged(call, call.store.gists.of(call.viewer), it => gistJson(it, call.origin)),
  'GET /users/:login/gists': listPublicGists,
  'POST /gists': createGist,
  'GET /gists/:id': call => ok(fullGistJson(gistOf(call), call.origin)),
  'PATCH /gists/:id': updateGist,
  // GitHub accepts this undocumented method, and `gh gist edit` relies on it.
  'POST /gists/:id': updateGist,
  'DELETE /gists/:id': call => {
    call.store.gists.delete(ownGistOf(call))
    return noContent()
  },
}

/** An organization has none. */
function listPublicGists(call: RestCall): Answer {
  const owner = call.store.accounts.find(call.params.login ?? '')
  if (!owner) throw notFound()
  const gists = owner.kind === 'User' ? call.store.gists.of(owner) : []
  const listed = gists.filter(({ isPublic }) => isPublic)
  return paged(call, listed, it => gistJson(it, call.origin))
}

function gistOf({ store, params }: RestCall): Gist {
  const gist = store.gists.find(params.id ?? '')
  if (!gist) throw notFound()
  return gist
}

function ownGistOf(call: RestCall): Gist {
  const gist = gistOf(call)
  if (gist.owner !== call.viewer) throw notFound()
  return gist
}

function updateGist(call: RestCall): Answer {
  const gist = ownGistOf(call)
  const { files = {} } = call.body
  if (!isJsonObject(files)) throw invalidRequest('"files" wasn\'t supplied.')
  const changes = Object.entries(files).map(
    ([name, file]) => [name, isJsonObject(file) ? changeIn(file) : null] as const,
  )
  call.store.gists.update(gist, {
    description: optionalText(call.body, 'description'),
    files: Object.fromEntries(changes),
  })
  return ok(fullGistJson(gist, call.origin))
}

function changeIn(file: JsonObject): FileChange {
  const content = optionalText(file, 'content')
  const filename = optionalText(file, 'filename')
  return { ...(isGiven(content) && { content }), ...(isGiven(filename) && { filename }) }
}

function createGist(call: RestCall): Answer {
  const gist = call.store.gists.add({
    owner: call.viewer,
    description: optionalText(call.body, 'description') ?? null,
    isPublic: call.body.public === true || call.body.public === 'true',
    files: filesIn(call),
  })
  const answer = fullGistJson(gist, call.origin)
  return created(answer, answer.url)
}

function filesIn({ body: { files } }: RestCall): Record<string, string> {
  if (!isJsonObject(files)) throw invalidRequest('"files" wasn\'t supplied.')
  return Object.fromEntries(
    Object.entries(files).map(([name, file]) => {
      if (isJsonObject(file) && typeof file.content === 'string') return [name, file.content]
      throw invalidRequest(`For 'properties/files/${name}', it has no content.`)
    }),
  )
}
