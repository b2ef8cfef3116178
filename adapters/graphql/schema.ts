import { type Static, Type } from '@sinclair/typebox'
import { httpSectionProperties } from '../http/section.ts'

const Closed = { additionalProperties: false } as const

const Document = Type.String({
  minLength: 1,
  description: 'A GraphQL document with one operation.',
})
const Variables = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'Variable → expression, or a tree of them. Null is left out, also as a member of an input object.',
})
const KeepNulls = Type.Boolean({
  default: false,
  description: 'Sends null variables, and null members of input objects, as null.',
})

const Lookup = Type.Object(
  { document: Document, variables: Type.Optional(Variables) },
  {
    ...Closed,
    description: 'A query whose data the call needs; it sees input and earlier lookups.',
  },
)
export type Lookup = Static<typeof Lookup>

/** The `graphql` section of a card. Expressions see `input`, `lookup` (and `page`). */
export const GraphqlCardSection = Type.Object(
  {
    document: Document,
    variables: Type.Optional(Variables),
    keep_nulls: Type.Optional(KeepNulls),
    lookup: Type.Optional(
      Type.Record(Type.String({ pattern: '^[a-z_]\\w*$' }), Lookup, {
        description: 'Name → query, run in this order before the call.',
      }),
    ),
  },
  Closed,
)
export type GraphqlCardSection = Static<typeof GraphqlCardSection>

/** The `graphql` section of an `upstream.yaml`. */
export const GraphqlUpstreamSection = Type.Object(
  {
    url: Type.String({ pattern: '^https?://', description: 'The endpoint.' }),
    sdl: Type.Optional(
      Type.String({
        description:
          'Schema that documents are checked against when cards are loaded: a file relative to this one, or npm:package/file.',
      }),
    ),
    ...httpSectionProperties,
  },
  Closed,
)
export type GraphqlUpstreamSection = Static<typeof GraphqlUpstreamSection>
