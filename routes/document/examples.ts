import type { ExampleValues } from '../../src/lib/schema-example.ts'
import type { Meta } from '../../src/model/envelope.ts'

const REQUEST_ID = '01KC3Z8Q4V7X2M5N9P0R6T1W8Y'

/** No pack has it: the gateway knows no service. */
export const EXAMPLE_CAPABILITY = 'part.create'

/** Values for examples of the gateway's own endpoints. */
export const ENDPOINT_VALUES: ExampleValues = {
  id: EXAMPLE_CAPABILITY,
  ids: 'hint_not_found_001',
  capability: EXAMPLE_CAPABILITY,
  capability_id: EXAMPLE_CAPABILITY,
  capabilities: 'part.*,order.view',
  request_id: REQUEST_ID,
  upstream: 'inventory',
  route: 'rest',
  q: 'merge a pull request',
  fields: 'id,description',
  since: '2026-01-31T12:00:00Z',
  until: '2026-02-01T12:00:00Z',
  hint_id: 'hint_not_found_001',
  version: '1.0.0',
  description: 'Add a part.',
  caller: 'agent',
  correlation_id: 'task-17',
  limit: '50',
  timeout_ms: 10_000,
  token_budget: 2000,
}

/** `meta` of an example. */
export function exampleMeta(about: Partial<Meta>): Meta {
  return {
    capability_id: null,
    request_id: REQUEST_ID,
    route_used: null,
    reason: null,
    attempts: [],
    duration_ms: 0.4,
    warnings: [],
    ...about,
  }
}
