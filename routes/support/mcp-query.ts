import { type Static, Type } from '@sinclair/typebox'
import type { Catalog } from '../../src/cards/catalog.ts'
import type { Card } from '../../src/model/card.ts'
import { GatewayError } from '../../src/model/errors.ts'
import { OneOf } from '../../src/model/one-of.ts'
import {
  isSelected,
  parseToolSelection,
  TOOL_WORD,
  type ToolSelection,
} from '../../src/model/tool-selection.ts'
import { PresentationQuery } from './presentation.ts'

const Words = Type.String({ maxLength: 8000 })

/** The query parameters of `/mcp`. A misspelt one must not silently offer every tool. */
export const McpQuery = Type.Object(
  {
    tools: Type.Optional(
      Type.Union([Words, Type.Array(Words)], {
        description:
          'The tools: search (the default), all, or capabilities by pattern: repo.*,read:pr.*,-pr.merge.',
      }),
    ),
    outputSchema: Type.Optional(
      OneOf(['true', 'false'], 'Tools have an outputSchema, and results a structuredContent.'),
    ),
    ...PresentationQuery,
  },
  { additionalProperties: false },
)
export type McpQuery = Static<typeof McpQuery>

/** @throws {GatewayError} VALIDATION for the former name of `tools`. */
export function refuseFormerName(query: object): void {
  if (!('capabilities' in query)) return
  throw unusable('capabilities', 'is called tools now: /mcp?tools=repo.*,issue.view')
}

/**
 * Reads a selection of tools.
 * @param lists comma-separated words, as in an address; undefined for a client that makes no choice
 * @throws {GatewayError} VALIDATION for a word that is none, or that selects no capability: most likely it is misspelt
 */
export function readTools(
  catalog: Catalog,
  lists: string | readonly string[] | undefined,
): ToolSelection | null {
  if (lists === undefined) return null
  const words = [lists].flat().flatMap(list => list.split(',').map(word => word.trim()))
  for (const word of words) assertUseful(catalog, word)
  return parseToolSelection(words)
}

function assertUseful(catalog: Catalog, word: string): void {
  const shown = JSON.stringify(word.slice(0, 200))
  if (!new RegExp(TOOL_WORD).test(word)) {
    throw unusable(
      'tools',
      `${shown} is no selection. Write search, all, or patterns such as repo.*,read:pr.*,-pr.merge`,
    )
  }
  const { include, exclude } = parseToolSelection([word])
  const alone = { way: 'list', include: include ?? exclude, exclude: [] } as const
  if (alone.include.length === 0 || catalog.all().some((card: Card) => isSelected(alone, card)))
    return
  throw unusable(
    'tools',
    `${shown} selects no capability. GET /v1/capabilities, or the command capabilities, lists them`,
  )
}

function unusable(path: string, message: string): GatewayError {
  const text = path === 'tools' ? message : `"${path}" ${message}`
  return new GatewayError('VALIDATION', `${text}.`, {
    source: 'caller',
    details: { fields: [{ path, message }] },
  })
}
