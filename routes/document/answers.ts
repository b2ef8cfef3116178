/** The answers that operations of `/openapi.json` share, and references to them. */
import { FailureEnvelope, Meta } from '../../src/model/envelope.ts'
import type { ProfileName } from '../../src/model/profile-name.ts'
import { PROFILES } from '../../src/render/profiles/index.ts'
import type { Profile } from '../../src/render/profiles/profile.ts'
import type { Described } from './dialect.ts'

export const JSON_TYPE = 'application/json'
const META = { $ref: '#/components/schemas/Meta' }
const FAILURE = { $ref: '#/components/schemas/Failure' }

const dialectName = (name: ProfileName) => `Profile.${name}`

export const refToDialect = (name: ProfileName) => ({
  $ref: `#/components/schemas/${dialectName(name)}`,
})

export function sharedSchemas({ profile }: Described) {
  return { [dialectName(profile)]: PROFILES[profile].schema, Meta, Failure: FailureEnvelope }
}

/** The schema of a success of the gateway's own endpoints, and of capabilities in the default dialect. */
export const successWith = (data: object) => ({
  type: 'object',
  required: ['ok', 'data', 'error', 'meta'],
  properties: { ok: { const: true }, data, error: { type: 'null' }, meta: META },
})

/** The content of the success of a capability. @param data the schema of its data */
export function contentOfSuccess({ profile }: Described, data: object, example: unknown) {
  const schema = profile === 'default' ? successWith(data) : refToDialect(profile)
  return { [JSON_TYPE]: { schema, ...(example === undefined ? {} : { example }) } }
}

/** The content of a failure: in the dialect of the document, or in the default one if the request names none. */
export function contentOfFailures(
  { profile }: Described,
  example?: unknown,
): Readonly<Record<string, { readonly schema: object }>> {
  const shown = example === undefined ? {} : { example }
  if (profile === 'default') return { [JSON_TYPE]: { schema: FAILURE, ...shown } }
  const { failureType }: Profile = PROFILES[profile]
  const own = refToDialect(profile)
  return failureType === undefined
    ? { [JSON_TYPE]: { schema: { anyOf: [own, FAILURE] }, ...shown } }
    : { [failureType]: { schema: own, ...shown }, [JSON_TYPE]: { schema: FAILURE } }
}

export { META as REF_TO_META }
