import { createHash } from 'node:crypto'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { mayCall } from '../src/access/permission.ts'
import type { Catalog } from '../src/cards/catalog.ts'
import { HintAnswer } from '../src/hints/hint.ts'
import { chooseLanguage, type Hints } from '../src/hints/registry.ts'
import { HTTP_DOOR, restrictDoor } from '../src/model/door.ts'
import { success } from './support/answer.ts'
import { answersOf } from './support/schemas.ts'

const Query = Type.Object(
  {
    ids: Type.Optional(
      Type.String({ maxLength: 4000, description: 'Comma-separated; all hints when omitted.' }),
    ),
  },
  { additionalProperties: false },
)

const LOOK_UP = {
  schema: {
    tags: ['hints'],
    operationId: 'findHints',
    summary: 'Look up what to do about an error, by hint id',
    description:
      'Explains error.hint_id of a failure, in the language of Accept-Language. A text never changes under its id.',
    querystring: Query,
    response: { ...answersOf(HintAnswer), 304: Type.Null({ description: 'Not changed.' }) },
  },
}

export interface HintOptions {
  readonly hints: Hints
  readonly catalog: Catalog
}

/** Serves hints by id. Clients can cache them for good: a hint's text never changes under its id. */
export function hintRoutes({ hints, catalog }: HintOptions): FastifyPluginCallbackTypebox {
  const doorFor = ({ caller }: FastifyRequest) =>
    restrictDoor(HTTP_DOOR, catalog, card => mayCall(caller, card))
  return (app, _options, done) => {
    app.get('/v1/hints', LOOK_UP, async (request, reply) => {
      const language = chooseLanguage(request.headers['accept-language'])
      const answer = hints.find(readIds(request.query.ids), language, doorFor(request))
      const etag = entityTag([language, answer])
      reply
        .header('etag', etag)
        .header('content-language', language)
        .header('vary', 'accept-language')
        .header('cache-control', 'private, max-age=86400')
      const known = request.headers['if-none-match']?.split(',').map(tag => tag.trim())
      if (known?.some(tag => tag === etag || tag === '*')) return await reply.code(304).send(null)
      return success(request, answer)
    })
    done()
  }
}

function readIds(text: string | undefined): readonly string[] | null {
  if (text === undefined) return null
  return text.split(',').flatMap(id => id.trim() || [])
}

/** The tag is weak, because `meta` differs from answer to answer while the hints stay the same. */
function entityTag(value: unknown): string {
  const digest = createHash('sha256').update(JSON.stringify(value)).digest('base64url')
  return `W/"${digest.slice(0, 22)}"`
}
