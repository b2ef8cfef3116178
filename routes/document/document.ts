import type { Card } from '../../src/model/card.ts'
import { RunQuery } from '../capabilities.ts'
import { sharedSchemas } from './answers.ts'
import { batchOperation, batchSchemas, explainBatchOperation } from './batch-operation.ts'
import { capabilityOperation, cardComponents } from './capability-operation.ts'
import { usedComponents } from './components.ts'
import type { Described } from './dialect.ts'
import { endpointOperation, type Operation } from './endpoint-operation.ts'
import { failureComponents } from './failures.ts'
import { HEADER_COMPONENTS } from './headers.ts'
import { parameterComponents } from './parameters.ts'
import { tagsOf } from './tags.ts'

/** The document as the schemas of the endpoints give it. */
export interface Collected {
  readonly components?: { readonly securitySchemes?: Readonly<Record<string, object>> }
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly [member: string]: unknown
}

export interface Part extends Described {
  readonly cards: readonly Card[]
  /** Leaves out the gateway's own endpoints. */
  readonly onlyCapabilities: boolean
}

/** Completes the document: an operation for each capability, with its own input and output, so that an agent needs no other page. */
export function completeDocument({ paths = {}, components, ...facts }: Collected, part: Part) {
  const { cards, onlyCapabilities } = part
  const described = {
    ...describeCapabilities(part),
    ...(onlyCapabilities ? {} : describeEndpoints(paths, part)),
  }
  const used = usedComponents(describeComponents(part), described)
  const { securitySchemes } = components ?? {}
  return {
    ...facts,
    tags: tagsOf(cards, tagsIn(described)),
    paths: described,
    components: { ...(securitySchemes === undefined ? {} : { securitySchemes }), ...used },
  }
}

function describeCapabilities(part: Part) {
  const { cards } = part
  const capabilities = cards.map(
    card => [`/v1/capabilities/${card.id}`, { post: capabilityOperation(card, part) }] as const,
  )
  return { ...Object.fromEntries(capabilities), '/v1/batch': { post: batchOperation(cards, part) } }
}

function describeEndpoints(paths: NonNullable<Collected['paths']>, part: Part) {
  const endpoints = Object.entries(paths).map(([url, operations]) => {
    const path = url.replace(/(.)\/$/, '$1')
    const complete = Object.entries(operations).map(([method, operation]) => [
      method,
      endpointOperation({ path, method }, operation, part),
    ])
    return [path, Object.fromEntries(complete)] as const
  })
  return {
    ...Object.fromEntries(endpoints),
    '/v1/batch/explain': { post: explainBatchOperation(part.cards, part) },
  }
}

function describeComponents(part: Part) {
  const { cards } = part
  return {
    schemas: {
      ...Object.assign({}, ...cards.map(cardComponents)),
      ...sharedSchemas(part),
      ...batchSchemas(cards, part),
    },
    responses: failureComponents(part),
    parameters: parameterComponents(RunQuery.properties, part),
    headers: HEADER_COMPONENTS,
  } as const
}

function tagsIn(paths: Readonly<Record<string, object>>): ReadonlySet<string> {
  const operations = Object.values(paths).flatMap(methods => Object.values(methods))
  return new Set(operations.flatMap((one: { readonly tags?: readonly string[] }) => one.tags ?? []))
}
