import { type Static, Type } from '@sinclair/typebox'
import { OneOf } from '../model/one-of.ts'
import { PROFILE_NAMES } from '../model/profile-name.ts'
import { SCOPES } from '../model/scopes.ts'

/** One gateway key of the settings. */
export const Key = Type.Object(
  {
    name: Type.String({
      pattern: '^[a-z0-9][a-z0-9_-]*$',
      description: 'Lower case; shown in the journal.',
    }),
    secret: Type.String({ minLength: 16, description: 'At least 16 characters.' }),
    operator: Type.Optional(Type.Boolean({ description: "May read every caller's requests." })),
    scopes: Type.Optional(
      Type.Array(OneOf(SCOPES, 'graphql.'), { description: 'What else it may do: graphql.' }),
    ),
    profile: Type.Optional(OneOf(PROFILE_NAMES, 'Dialect of its answers when a call names none.')),
  },
  { additionalProperties: false },
)
export type Key = Static<typeof Key>
