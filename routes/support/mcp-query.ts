import { type Static, Type } from '@sinclair/typebox'
import type { Catalog } from '../../src/cards/catalog.ts'
import { GatewayError } from '../../src/model/errors.ts'
import { idlePatterns } from './mcp-tools.ts'
import { PresentationQuery } from './presentation.ts'

const Patterns = Type.String({ maxLength: 8000 })

/** The query parameters of `/mcp`. A misspelt one must not silently offer every tool. */
export const McpQuery = Type.Object(
  {
    capabilities: Type.Optional(
      Type.Union([Patterns, Type.Array(Patterns)], {
        description: 'The capabilities that the client may call: repo.*,issue.view.',
      }),
    ),
    ...PresentationQuery,
  },
  { additionalProperties: false },
)
export type McpQuery = Static<typeof McpQuery>

/** The patterns of the tools that the address chooses; null for all. */
export function wantedTools({ capabilities }: McpQuery): readonly string[] | null {
  return capabilities === undefined ? null : [capabilities].flat()
}

/** @throws {GatewayError} VALIDATION for a pattern that selects no capability. */
export function assertToolsExist(catalog: Catalog, patterns: readonly string[] | null): void {
  const [idle] = idlePatterns(catalog, patterns)
  if (idle === undefined) return
  const message = `${JSON.stringify(idle.slice(0, 200))} selects no capability`
  throw new GatewayError('VALIDATION', `${message}. GET /v1/capabilities lists them.`, {
    source: 'caller',
    details: { fields: [{ path: 'capabilities', message }] },
  })
}
