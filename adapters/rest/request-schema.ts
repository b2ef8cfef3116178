import { Type } from '@sinclair/typebox'
import { PARAMETER_STYLES } from '../../src/lib/parameters.ts'
import { HTTP_METHODS } from '../../src/model/http-methods.ts'
import { OneOf } from '../../src/model/one-of.ts'

const Closed = { additionalProperties: false } as const

const named = (description: string) =>
  Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description }))

/** The encodings of a body. */
export const ENCODINGS = ['json', 'form', 'multipart', 'text', 'binary'] as const
export type Encoding = (typeof ENCODINGS)[number]

const FileSource = Type.Union(
  [
    Type.String({
      minLength: 1,
      description:
        'Expression for an object of base64 or text, filename and media_type; or a list.',
    }),
    Type.Object(
      {
        base64: Type.Optional(Type.String({ description: 'Expression: the content in Base64.' })),
        text: Type.Optional(Type.String({ description: 'Expression: the content as text.' })),
        filename: Type.Optional(
          Type.String({ description: 'Expression. Default: the name of the part.' }),
        ),
        media_type: Type.Optional(
          Type.String({ description: 'Expression. Default: application/octet-stream.' }),
        ),
      },
      Closed,
    ),
  ],
  {
    description:
      'An object with base64 or text, and optionally filename and media_type; or an expression for one.',
  },
)

const byName = <const T extends string>(...styles: readonly T[]) =>
  Type.Optional(Type.Record(Type.String(), OneOf(styles)))

const StylesSource = Type.Object(
  {
    query: byName(...PARAMETER_STYLES),
    headers: byName('comma', 'members', 'json'),
    cookies: byName('comma', 'json'),
    body: byName(...PARAMETER_STYLES),
  },
  { ...Closed, description: 'How lists and objects are written: place → name → style.' },
)

/** The keys of a card's `rest` section that make the request. */
export const requestProperties = {
  method: Type.Union(HTTP_METHODS.map(method => Type.Literal(method))),
  path: Type.String({
    pattern: '^/',
    description: 'RFC 6570 template over input, below base_url, e.g. /repos/{owner}/{name}.',
  }),
  server: Type.Optional(
    Type.String({ description: 'A name of servers in upstream.yaml, instead of base_url.' }),
  ),
  query: named('Parameter → expression. Null omits the parameter, a list repeats it.'),
  headers: named('Header → expression. Null omits the header.'),
  cookies: named('Cookie → expression. Null omits the cookie.'),
  styles: Type.Optional(StylesSource),
  keep_empty: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      uniqueItems: true,
      description: 'Parameters of query, or of a form, whose empty list is sent as name=.',
    }),
  ),
  body: Type.Optional(
    Type.Unknown({
      description:
        'Expression, or a tree of expressions, for the body. Omits null members at its top level.',
    }),
  ),
  encoding: Type.Optional(OneOf(ENCODINGS, 'How the body is written. Default: json.')),
  content_type: Type.Optional(
    Type.String({
      description: 'The media type of the body, e.g. application/merge-patch+json.',
    }),
  ),
  files: Type.Optional(
    Type.Record(Type.String(), FileSource, {
      description: 'With encoding multipart: part → file.',
    }),
  ),
  keep_nulls: Type.Optional(
    Type.Boolean({ default: false, description: 'Sends null members of body as null.' }),
  ),
}
