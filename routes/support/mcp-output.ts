import { type TSchema, Type } from '@sinclair/typebox'
import { toldSchema } from '../../src/cards/told-schema.ts'
import { HintAnswer } from '../../src/hints/hint.ts'
import { isObject } from '../../src/lib/is-object.ts'
import type { Card, JsonSchema } from '../../src/model/card.ts'
import type { ProfileName } from '../../src/model/profile-name.ts'
import { AnyObject, EffectName } from '../../src/model/schema-parts.ts'
import { PROFILES } from '../../src/render/profiles/index.ts'
import { BatchResults } from './batch-schema.ts'

/** The schema of everything that a tool can return: a success or a failure in the dialect of the client. */
export type OutputSchema = JsonSchema & { readonly type: 'object' }

/** The answers of a capability. */
export function outputOfCard({ output }: Card, profile: ProfileName): OutputSchema {
  if (output.type !== 'object') return answersIn(profile, {})
  return answersIn(profile, relaxed({ ...toldSchema(output) }))
}

const Found = Type.Object({
  id: Type.String(),
  effect: EffectName,
  does: Type.String(),
  input: Type.String(),
})
const Described = Type.Object({
  id: Type.String(),
  description: Type.String(),
  effect: EffectName,
  input: AnyObject,
})

/** The results of the gateway's own tools that are no answers of a capability. */
const OWN: Readonly<Record<string, TSchema>> = {
  search: Type.Object({
    capabilities: Type.Array(Found),
    more: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  describe: Type.Object({
    capabilities: Type.Array(Described),
    forbidden: Type.Optional(
      Type.Array(Type.Object({ id: Type.String(), code: Type.String(), message: Type.String() })),
    ),
    notFound: Type.Array(Type.Object({ id: Type.String(), likely: Type.Array(Type.String()) })),
  }),
}

/** `data` of those whose results are answers in an envelope. */
const ENVELOPED: Readonly<Record<string, TSchema>> = {
  batch: BatchResults(AnyObject),
  get_hints: HintAnswer,
}

/** The answers of one of the gateway's own tools. */
export function outputOfOwn(name: string, profile: ProfileName): OutputSchema {
  if (name === 'call') return answersIn(profile, AnyObject)
  const data = ENVELOPED[name]
  if (data) return either(alternativesOf(answersIn(outerProfile(profile), data)), profile)
  return either([OWN[name] ?? AnyObject], profile)
}

/** The dialects in which a success is no more than its data; the others would need the facts of a capability. */
const PLAIN_DATA: readonly ProfileName[] = ['brief', 'compact']

/** Like that of `POST /v1/batch`, the answer around those of the calls is in the dialect `default` otherwise. */
export function outerProfile(profile: ProfileName): ProfileName {
  return PLAIN_DATA.includes(profile) ? profile : 'default'
}

function either(own: readonly JsonSchema[], profile: ProfileName): OutputSchema {
  return { type: 'object', anyOf: [...own, ...alternativesOf(PROFILES[profile].schema)] }
}

/** @param data the schema of `data` in a success, in dialects that have it */
function answersIn(profile: ProfileName, data: JsonSchema): OutputSchema {
  const alternatives = alternativesOf(PROFILES[profile].schema).map(one => {
    const { properties } = one
    const isSuccess =
      isObject(properties) && isObject(properties.ok) && properties.ok.const === true
    return isSuccess ? { ...one, properties: { ...properties, data } } : one
  })
  return { type: 'object', anyOf: alternatives }
}

/** Some dialects have one schema for success and failure. */
function alternativesOf(schema: JsonSchema): readonly JsonSchema[] {
  const { anyOf } = schema
  return Array.isArray(anyOf) ? (anyOf as readonly JsonSchema[]) : [schema]
}

/** `fields` and `token_budget` leave members out, also those that the schema of a card requires. */
function relaxed<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(relaxed) as T
  if (!isObject(schema)) return schema
  const kept = Object.entries(schema).filter(
    ([keyword, value]) => keyword !== 'required' || !Array.isArray(value),
  )
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, relaxed(value)])) as T
}
