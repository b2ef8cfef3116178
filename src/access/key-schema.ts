import { type Static, Type } from '@sinclair/typebox'
import { RIGHTS } from './rights.ts'

export const KEY_NAME = '^[a-z0-9][a-z0-9_-]*$'
export const SHORTEST_SECRET = 16

/** One gateway key of the settings. Exactly one of its three forms of a secret is set. */
export const Key = Type.Object(
  {
    name: Type.String({ pattern: KEY_NAME, description: 'Lower case; the journal shows it.' }),
    secret: Type.Optional(
      Type.String({
        minLength: SHORTEST_SECRET,
        description: `At least ${SHORTEST_SECRET} characters.`,
      }),
    ),
    secret_sha256: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        description: 'SHA-256 of the secret, in hex: `signalbox keys create` prints it.',
      }),
    ),
    secret_file: Type.Optional(
      Type.String({ minLength: 1, description: 'A file that holds the secret and nothing else.' }),
    ),
    ...RIGHTS,
    expires: Type.Optional(
      Type.String({ format: 'date-time', description: 'The time from which it is refused.' }),
    ),
  },
  { additionalProperties: false },
)
export type Key = Static<typeof Key>
