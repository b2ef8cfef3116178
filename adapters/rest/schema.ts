import { type Static, Type } from '@sinclair/typebox'
import { httpSectionProperties } from '../http/wire/section.ts'
import { answerProperties } from './answer-schema.ts'
import { requestProperties } from './request-schema.ts'

const Closed = { additionalProperties: false } as const

/** The `rest` section of a card. Expressions see `input`, `lookup` and, on paged routes, `page`. */
export const RestCardSection = Type.Object(
  {
    ...requestProperties,
    ...answerProperties,
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
      description:
        'The address of the API with the prefix of all paths, such as https://api.example.com/v1.',
    }),
    servers: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[a-z][a-z0-9_-]*$' }),
        Type.String({
          pattern: '^https?://',
          description: 'An address, such as https://files.example.com/v1.',
        }),
        {
          additionalProperties: false,
          description:
            'More servers of the service, by names: each like base_url, with its credential.',
        },
      ),
    ),
    max_parsed_bytes: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'A larger table or XML document is TOO_LARGE: nothing else runs while it is read.',
      }),
    ),
    probe: Type.Optional(
      Type.Object(
        {
          path: Type.String({
            pattern: '^/',
            description: 'A read that any credential may make, and that costs nothing.',
          }),
          scopes: Type.Optional(
            Type.String({ description: 'The header with the scopes, separated by commas.' }),
          ),
          expires: Type.Optional(
            Type.String({ description: 'The header with the time at which the credential ends.' }),
          ),
        },
        { ...Closed, description: 'How to find out whether a credential works, and its rights.' },
      ),
    ),
    ...httpSectionProperties,
  },
  Closed,
)
export type RestUpstreamSection = Static<typeof RestUpstreamSection>
