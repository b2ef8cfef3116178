import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { PROFILE_NAMES } from '../src/model/profile-name.ts'
import { nullable } from '../src/model/schema-parts.ts'
import { PROFILES } from '../src/render/profiles/index.ts'
import type { Profile } from '../src/render/profiles/profile.ts'
import { success } from './support/answer.ts'
import { answersOf } from './support/schemas.ts'

const JSON_TYPE = 'application/json'

const ProfileSchema = Type.Object({
  name: Type.String(),
  description: Type.String(),
  content_type: Type.String({ description: 'Media type of a success.' }),
  failure_content_type: Type.String(),
  default_token_budget: nullable(Type.Integer()),
  schema: Type.Unsafe<object>({
    type: 'object',
    additionalProperties: true,
    description: 'JSON Schema of every answer in this dialect.',
  }),
})

/** Lists the dialects that an answer can have. */
export const profileRoutes: FastifyPluginCallbackTypebox = (app, _options, done) => {
  app.get(
    '/v1/profiles',
    {
      schema: {
        tags: ['profiles'],
        operationId: 'listProfiles',
        summary: 'List the dialects of answers, with their JSON Schemas',
        description: 'Lists the values of the parameter profile.',
        response: answersOf(Type.Object({ items: Type.Array(ProfileSchema) })),
      },
    },
    request => success(request, { items: PROFILE_NAMES.map(describeProfile) }),
  )
  done()
}

function describeProfile(name: keyof typeof PROFILES) {
  const { description, schema, failureType, defaultBudget }: Profile = PROFILES[name]
  return {
    name,
    description,
    content_type: JSON_TYPE,
    failure_content_type: failureType ?? JSON_TYPE,
    default_token_budget: defaultBudget,
    schema,
  }
}
