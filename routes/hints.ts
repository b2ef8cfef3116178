import { createHash } from 'node:crypto'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Hint, type HintTable } from '../src/hints/hint.ts'
import { chooseLanguage, type HintAnswer, type Hints } from '../src/hints/registry.ts'
import { success } from './support/answer.ts'
import { answersOf } from './support/schemas.ts'

const Query = Type.Object(
  {
    ids: Type.Optional(
      Type.String({ maxLength: 4000, description: 'Comma-separated; all when left out.' }),
    ),
  },
  { additionalProperties: false },
)

const HintAnswerSchema = Type.Unsafe<HintAnswer>(
  Type.Object({
    hints: Type.Unsafe<HintTable>({ type: 'object', additionalProperties: Hint }),
    notFound: Type.Array(Type.String(), { description: 'Ids that nobody has.' }),
  }),
)

/** Advice by id, to be fetched once and kept: what an id says does not change. */
export function hintRoutes(hints: Hints): FastifyPluginCallbackTypebox {
  return (app, _options, done) => {
    app.get(
      '/v1/hints',
      {
        schema: {
          tags: ['hints'],
          summary: 'Look up what to do about an error, by hint id',
          querystring: Query,
          response: { ...answersOf(HintAnswerSchema), 304: Type.Null() },
        },
      },
      async (request, reply) => {
        const language = chooseLanguage(request.headers['accept-language'])
        const answer = hints.find(readIds(request.query.ids), language)
        const etag = entityTag([language, answer])
        reply
          .header('etag', etag)
          .header('content-language', language)
          .header('vary', 'accept-language')
          .header('cache-control', 'private, max-age=86400')
        const known = request.headers['if-none-match']?.split(',').map(tag => tag.trim())
        if (known?.some(tag => tag === etag || tag === '*')) return await reply.code(304).send(null)
        return success(request, answer)
      },
    )
    done()
  }
}

function readIds(text: string | undefined): readonly string[] | null {
  if (text === undefined) return null
  return text.split(',').flatMap(id => id.trim() || [])
}

/** Weak: the hints are the same, while `meta` differs from answer to answer. */
function entityTag(value: unknown): string {
  const digest = createHash('sha256').update(JSON.stringify(value)).digest('base64url')
  return `W/"${digest.slice(0, 22)}"`
}
