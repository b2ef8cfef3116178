import { type Static, Type } from '@sinclair/typebox'
import { httpSectionProperties } from '../http/section.ts'

const Closed = { additionalProperties: false } as const

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** The `rest` section of a card. Every value may be an expression over `input` (and `page`). */
export const RestCardSection = Type.Object(
  {
    method: Type.Union(METHODS.map(method => Type.Literal(method))),
    path: Type.String({
      pattern: '^/',
      description: 'RFC 6570 template over input, below base_url, e.g. /repos/{owner}/{name}.',
    }),
    query: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Parameter → expression. Null is left out, an array is repeated.',
      }),
    ),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Header → expression. Null is left out.',
      }),
    ),
    body: Type.Optional(
      Type.Unknown({
        description:
          'Expression, or a tree of them, for the JSON body. Null members at its top are left out.',
      }),
    ),
    keep_nulls: Type.Optional(
      Type.Boolean({ default: false, description: 'Sends null members of body as null.' }),
    ),
    accept: Type.Optional(
      Type.Array(Type.Integer({ minimum: 200, maximum: 599 }), {
        minItems: 1,
        uniqueItems: true,
        description: 'Statuses that are success beside 2xx, e.g. 404; or 202 for a read.',
      }),
    ),
    parse: Type.Optional(
      Type.Union([Type.Literal('json'), Type.Literal('text'), Type.Literal('none')], {
        default: 'json',
        description: 'How the answer becomes body.',
      }),
    ),
    redirects: Type.Optional(
      Type.Union([Type.Literal('origin'), Type.Literal('anywhere')], {
        default: 'origin',
        description:
          'Where redirects are followed to; anywhere is for reads, and takes no header there.',
      }),
    ),
  },
  Closed,
)
export type RestCardSection = Static<typeof RestCardSection>

/** The `rest` section of an `upstream.yaml`. */
export const RestUpstreamSection = Type.Object(
  {
    base_url: Type.String({
      pattern: '^https?://',
      description: 'Origin, and the path that all paths are below.',
    }),
    ...httpSectionProperties,
  },
  Closed,
)
export type RestUpstreamSection = Static<typeof RestUpstreamSection>
