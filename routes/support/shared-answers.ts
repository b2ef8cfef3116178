/** The answers that operations of `/openapi.json` share, and references to them. */
import { FailureEnvelope, Meta } from '../../src/model/envelope.ts'
import { PROFILE_NAMES, type ProfileName } from '../../src/model/profile-name.ts'
import { PROFILES } from '../../src/render/profiles/index.ts'
import type { Profile } from '../../src/render/profiles/profile.ts'

const dialectName = (name: ProfileName) => `Profile.${name}`

export const refToDialect = (name: ProfileName) => `#/components/schemas/${dialectName(name)}`
const META = { $ref: '#/components/schemas/Meta' }
const FAILURE = { $ref: '#/components/schemas/Failure' }

export const SHARED_SCHEMAS = {
  ...Object.fromEntries(PROFILE_NAMES.map(name => [dialectName(name), PROFILES[name].schema])),
  Meta,
  Failure: FailureEnvelope,
}

/** The schema of a success. @param data the schema of its data */
export const successWith = (data: object) => ({
  type: 'object',
  required: ['ok', 'data', 'error', 'meta'],
  properties: { ok: { const: true }, data, error: { type: 'null' }, meta: META },
})

const jsonType = (name: ProfileName) => `application/json; profile="${name}"`

/** The dialects other than the default one, by the media type that selects each in `Accept`. */
const dialects = (typeOf: (name: ProfileName, profile: Profile) => string) =>
  Object.fromEntries(
    PROFILE_NAMES.filter(name => name !== 'default').map(name => [
      typeOf(name, PROFILES[name]),
      { schema: { $ref: refToDialect(name) } },
    ]),
  )

/** The answer of a capability. @param success the schema of a success in the default dialect */
export const inEveryDialect = (success: object) => ({
  'application/json': { schema: success },
  ...dialects(jsonType),
})

export const SHARED_RESPONSES = {
  Failure: {
    description: 'Failed; error.code says why, error.next what to do.',
    content: {
      'application/json': { schema: FAILURE },
      ...dialects((name, { failureType }) => failureType ?? jsonType(name)),
    },
  },
}
export const FAILURE_RESPONSE = { $ref: '#/components/responses/Failure' }

export interface Operation {
  readonly responses: Readonly<Record<string, DescribedResponse>>
}

interface DescribedResponse {
  readonly description: string
  readonly content?: Readonly<Record<string, { readonly schema: ObjectSchema }>>
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, object>>
}

/** Refers to the shared failure and to the schema of `meta`, instead of repeating them in every operation. */
export function shareParts(operation: Operation): object {
  const responses = Object.entries(operation.responses).map(([status, response]) => [
    status,
    shareMeta(response),
  ])
  return {
    ...operation,
    responses: { default: FAILURE_RESPONSE, ...Object.fromEntries(responses) },
  }
}

function shareMeta(response: DescribedResponse): object {
  const json = response.content?.['application/json']
  if (json?.schema.properties?.meta === undefined) return response
  const schema = { ...json.schema, properties: { ...json.schema.properties, meta: META } }
  return {
    description: 'Done.',
    content: { ...response.content, 'application/json': { ...json, schema } },
  }
}
