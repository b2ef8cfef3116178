import { type Static, Type } from '@sinclair/typebox'
import { CsvSource } from '../../src/model/csv-source.ts'
import { OneOf } from '../../src/model/one-of.ts'
import { PollSource } from './poll-schema.ts'

const Closed = { additionalProperties: false } as const

/** How an answer can be read. */
export const FORMATS = ['json', 'text', 'none', 'ndjson', 'csv', 'xml', 'binary', 'sse'] as const
export type Format = (typeof FORMATS)[number]

const XmlSource = Type.Object(
  {
    lists: Type.Array(Type.String({ pattern: '^[^.\\s]+(\\.[^.\\s]+)+$' }), {
      description: 'Elements that are always lists, by their path from the root: parts.part.',
    }),
  },
  { ...Closed, description: 'With parse xml.' },
)

const SseSource = Type.Object(
  {
    events: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        default: 100,
        description: 'The most events to read.',
      }),
    ),
    wait_ms: Type.Optional(Type.Integer({ minimum: 1, description: 'The longest time to read.' })),
    until_data: Type.Optional(
      Type.String({ description: 'The data of the last event, e.g. [DONE].' }),
    ),
    until_event: Type.Optional(Type.String({ description: 'The name of the last event.' })),
  },
  { ...Closed, description: 'With parse sse: when to stop.' },
)
export type SseSource = Static<typeof SseSource>

/** The keys of a card's `rest` section that read the answer. */
export const answerProperties = {
  accept: Type.Optional(
    Type.Array(Type.Integer({ minimum: 200, maximum: 599 }), {
      minItems: 1,
      uniqueItems: true,
      description: 'More statuses that count as success, e.g. 404, or 202 for a read.',
    }),
  ),
  parse: Type.Optional(OneOf(FORMATS, 'How to read the answer into body. Default: json.')),
  csv: Type.Optional(CsvSource),
  xml: Type.Optional(XmlSource),
  sse: Type.Optional(SseSource),
  poll: Type.Optional(PollSource),
}
