import { mayCall } from '../../src/access/permission.ts'
import { notFound } from '../../src/cards/catalog.ts'
import { likelyIds, MOST_LIKELY } from '../../src/cards/search.ts'
import { editDistance } from '../../src/lib/edit-distance.ts'
import type { Card } from '../../src/model/card.ts'
import type { GatewayError } from '../../src/model/errors.ts'
import { CALL_TOOL, SEARCH_TOOL } from './mcp-own-tools.ts'
import type { McpClient, McpParts } from './mcp-parts.ts'
import { cardOf, ownTools, toolName } from './mcp-tools.ts'

/** Longer names are no misspelling of a tool of the gateway. */
const LONGEST_NAME = 20
const MOST_SLIPS = 2

/** NOT_FOUND for the name of a tool that the client does not have, with what it most likely meant, as it can call it. */
export function unknownTool(
  { catalog }: Pick<McpParts, 'catalog'>,
  client: McpClient,
  name: string,
): GatewayError {
  const own = likelyOwn(client, name)
  const card = cardOf(catalog, client, name)
  const ids = card
    ? [card.id]
    : likelyIds(catalog.all(), name, (known: Card) => mayCall(client.caller, known))
  const isListed = client.way === 'list'
  const likely = [...own, ...(isListed ? ids.map(toolName) : ids)].slice(0, MOST_LIKELY)
  const [id = null] = own.length > 0 ? [] : ids
  return notFound('tool', name, likely, isListed ? 'tools/list lists them all.' : howToCall(id))
}

function likelyOwn(client: McpClient, name: string): readonly string[] {
  if (name.length > LONGEST_NAME) return []
  const names = ownTools(client).map(tool => tool.name)
  return names.filter(known => editDistance(name.toLowerCase(), known) <= MOST_SLIPS)
}

function howToCall(id: string | null): string {
  return id === null
    ? `The tool "${SEARCH_TOOL.name}" finds capabilities, and "${CALL_TOOL.name}" calls them.`
    : `Call it as {"capability":"${id}","input":{…}} with the tool "${CALL_TOOL.name}".`
}
