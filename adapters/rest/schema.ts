import { type Static, Type } from '@sinclair/typebox'
import { httpSectionProperties } from '../http/wire/section.ts'
import { requestProperties } from './request-schema.ts'

const Closed = { additionalProperties: false } as const

/** The `rest` section of a card. Expressions see `input`, `lookup` and, on paged routes, `page`. */
export const RestCardSection = Type.Object(
  {
    ...requestProperties,
    accept: Type.Optional(
      Type.Array(Type.Integer({ minimum: 200, maximum: 599 }), {
        minItems: 1,
        uniqueItems: true,
        description: 'More statuses that count as success, e.g. 404, or 202 for a read.',
      }),
    ),
    parse: Type.Optional(
      Type.Union([Type.Literal('json'), Type.Literal('text'), Type.Literal('none')], {
        default: 'json',
        description: 'How to read the answer into body.',
      }),
    ),
    redirects: Type.Optional(
      Type.Union([Type.Literal('origin'), Type.Literal('anywhere')], {
        default: 'origin',
        description:
          'Which redirects to follow. anywhere is for reads, and sends no headers to another origin.',
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
      description: 'Origin, and the prefix of all paths.',
    }),
    ...httpSectionProperties,
  },
  Closed,
)
export type RestUpstreamSection = Static<typeof RestUpstreamSection>
