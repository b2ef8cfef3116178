import { isJsonObject } from '../json.ts'
import type { Gist } from '../store/gists.ts'
import { optionalText } from './body.ts'
import { type Answer, created, ok, type RestCall, type RouteTable } from './call.ts'
import { invalidRequest, notFound } from './errors.ts'
import { fullGistJson, gistJson } from './json/gist.ts'
import { paged } from './paging.ts'

export const gistRoutes: RouteTable = {
  'GET /gists': call =>
    paged(call, call.store.gists.of(call.viewer), it => gistJson(it, call.origin)),
  'POST /gists': createGist,
  'GET /gists/:id': call => ok(fullGistJson(gistOf(call), call.origin)),
}

function gistOf({ store, params }: RestCall): Gist {
  const gist = store.gists.find(params.id ?? '')
  if (!gist) throw notFound()
  return gist
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
