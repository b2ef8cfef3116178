import { type Static, Type } from '@sinclair/typebox'
import { httpSectionProperties } from '../http/wire/section.ts'

const Closed = { additionalProperties: false } as const

const Document = Type.String({
  minLength: 1,
  description: 'A GraphQL document with one operation.',
})
const Variables = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'Variable → expression, or a tree of expressions. Omits null variables and null members of input objects.',
})
const KeepNulls = Type.Boolean({
  default: false,
  description: 'Sends null variables, and null members of input objects, as null.',
})

/** The `graphql` section of a card. Expressions see `input`, `lookup` and, on paged routes, `page`. */
export const GraphqlCardSection = Type.Object(
  {
    document: Type.Optional(Document),
    document_from: Type.Optional(
      Type.String({ description: "Expression for the caller's own query, in place of document." }),
    ),
    variables_from: Type.Optional(Type.String({ description: 'Expression for its variables.' })),
    variables: Type.Optional(Variables),
    keep_nulls: Type.Optional(KeepNulls),
  },
  Closed,
)
export type GraphqlCardSection = Static<typeof GraphqlCardSection>

/** The `graphql` section of an `upstream.yaml`. */
export const GraphqlUpstreamSection = Type.Object(
  {
    url: Type.String({
      pattern: '^https?://',
      description: 'The GraphQL endpoint, such as https://api.example.com/graphql.',
    }),
    sdl: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })], {
        description:
          'Schema to check documents against when cards are loaded: a file relative to this one, or npm:package/file. A list may hold several that extend each other.',
      }),
    ),
    ...httpSectionProperties,
  },
  Closed,
)
export type GraphqlUpstreamSection = Static<typeof GraphqlUpstreamSection>
