/** The headers of answers. Those that HTTP itself defines for every answer, such as Date, are left out. */
const HEADERS = {
  'X-Request-Id': ['The id of the request, under which the journal keeps it.', 'string'],
  'X-Correlation-Id': ["The caller's own id for the request, if it sent one.", 'string'],
  'Signalbox-Route': ['The route that gave the answer.', 'string'],
  'Signalbox-Attempts': [
    'The number of attempts that this call made; 0 for an answer that another request got.',
    'integer',
  ],
  'Signalbox-Dropped': [
    'What did not fit the token budget, as JSON: a list of {path, count}.',
    'string',
  ],
  'Signalbox-Untrusted': [
    'Where data has text that others wrote, as JSON: a list of paths, such as items[].body.',
    'string',
  ],
  'Signalbox-Hidden': [
    'Where texts of others were left out, as JSON: a list of paths, such as items[].body.',
    'string',
  ],
  'Signalbox-Warnings': [
    'Warnings about the answer, as JSON: a list of {code, message}, up to 2,000 bytes.',
    'string',
  ],
  'Idempotent-Replayed': [
    'true: this is the stored answer of an earlier request with the same Idempotency-Key.',
    'string',
  ],
  'Server-Timing': [
    'Milliseconds spent upstream and in the gateway: upstream;dur=12.4, gateway;dur=0.7.',
    'string',
  ],
  Age: ['The age of an answer from memory, in seconds.', 'integer'],
  'Retry-After': ['Seconds after which the call can succeed.', 'integer'],
  RateLimit: ['The limit of the caller that is used up, and when it ends.', 'string'],
  'RateLimit-Policy': ['The limit of the caller that is used up, and its window.', 'string'],
  'WWW-Authenticate': [
    'Says that a key or a token is needed, or what is wrong with it: Bearer.',
    'string',
  ],
  ETag: ['Changes when the content does. Send it as If-None-Match.', 'string'],
  'Content-Language': ['The language of the texts.', 'string'],
  'Mcp-Session-Id': ['The session of the protocol that the answer begins.', 'string'],
  'Cache-Control': ['How long the answer may be kept.', 'string'],
} as const satisfies Readonly<Record<string, readonly [string, 'string' | 'integer']>>

export type HeaderName = keyof typeof HEADERS

/** Descriptions of headers, for the components of a document. */
export const HEADER_COMPONENTS = Object.fromEntries(
  Object.entries(HEADERS).map(([name, [description, type]]) => [
    name,
    { description, schema: { type } },
  ]),
)

/** Every answer can have these. */
export const COMMON_HEADERS = ['X-Request-Id', 'X-Correlation-Id'] as const

/** Answers of capabilities, and all failures, say how they came about. */
export const CALL_HEADERS = [
  ...COMMON_HEADERS,
  'Signalbox-Route',
  'Signalbox-Attempts',
  'Signalbox-Dropped',
  'Signalbox-Untrusted',
  'Signalbox-Hidden',
  'Signalbox-Warnings',
  'Idempotent-Replayed',
  'Server-Timing',
  'Age',
] as const

export function refsToHeaders(names: readonly HeaderName[]): object {
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))
}
