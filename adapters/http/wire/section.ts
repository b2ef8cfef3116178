import { type Static, Type } from '@sinclair/typebox'

/** Keys that the `rest` and `graphql` sections of an `upstream.yaml` share. */
export const httpSectionProperties = {
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description:
        'Sent with every request. `${credential}` stands for the credential, `${credential.name}` for that of a scheme; a header that needs one is left out when there is none.',
    }),
  ),
  connections: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 4096,
      default: 64,
      description: 'Maximum number of open sockets.',
    }),
  ),
  max_queue: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'How many calls may wait for a socket; the gateway refuses further ones with SERVER 503. By default 4 for each socket.',
    }),
  ),
  keep_alive_ms: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'How long an idle socket may be used again. By default what the service says in the header keep-alive, else 4 seconds. A change takes one that was idle for a second at most.',
    }),
  ),
  max_response_bytes: Type.Optional(
    Type.Integer({
      minimum: 1024,
      default: 20 * 1024 * 1024,
      description: 'A larger answer is TOO_LARGE. Checked before and after decompression.',
    }),
  ),
  connect_timeout_ms: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 5000,
      description: 'For name resolution, connecting and the TLS handshake.',
    }),
  ),
  ca: Type.Optional(
    Type.String({
      description: 'PEM file of the certificate authority to trust, relative to this file.',
    }),
  ),
  proxy: Type.Optional(
    Type.String({ description: 'URL of an HTTP proxy, e.g. "${HTTPS_PROXY}"; empty for none.' }),
  ),
}

export const HttpSection = Type.Object(httpSectionProperties)
export type HttpSection = Static<typeof HttpSection>
