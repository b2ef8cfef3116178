import { type Static, Type } from '@sinclair/typebox'

/** Keys that the `rest` and `graphql` sections of an `upstream.yaml` share. */
export const httpSectionProperties = {
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description:
        'Sent with every request. `${credential}` stands for the credential; without one the header is left out.',
    }),
  ),
  connections: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 4096, default: 64, description: 'Most sockets at once.' }),
  ),
  max_response_bytes: Type.Optional(
    Type.Integer({
      minimum: 1024,
      default: 20 * 1024 * 1024,
      description: 'A larger answer is TOO_LARGE; counted before and after decompression.',
    }),
  ),
  connect_timeout_ms: Type.Optional(
    Type.Integer({ minimum: 1, default: 5000, description: 'For name, connection and TLS.' }),
  ),
  ca: Type.Optional(
    Type.String({ description: 'PEM file of the authority to trust, relative to this file.' }),
  ),
  proxy: Type.Optional(
    Type.String({ description: 'URL of an HTTP proxy, e.g. "${HTTPS_PROXY}"; empty for none.' }),
  ),
}

const HttpSectionSchema = Type.Object(httpSectionProperties)
export type HttpSection = Static<typeof HttpSectionSchema>
