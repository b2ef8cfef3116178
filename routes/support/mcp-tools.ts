import { createHash } from 'node:crypto'
import type { Tool } from '@modelcontextprotocol/server'
import { isOffered, mayCall } from '../../src/access/permission.ts'
import type { Catalog } from '../../src/cards/catalog.ts'
import { type ToldSchema, toldSchema } from '../../src/cards/told-schema.ts'
import type { Caller } from '../../src/model/caller.ts'
import type { Card } from '../../src/model/card.ts'
import { type Door, restrictDoor } from '../../src/model/door.ts'
import type { ProfileName } from '../../src/model/profile-name.ts'
import { SEARCH, type ToolSelection } from '../../src/model/tool-selection.ts'
import { type OutputSchema, outputOfCard, outputOfOwn } from './mcp-output.ts'
import {
  BATCH_TOOL,
  CALL_TOOL,
  DESCRIBE_TOOL,
  HINTS_TOOL,
  optionsOf,
  SEARCH_TOOL,
} from './mcp-own-tools.ts'

/** A client that has chosen its tools. */
export interface Connection {
  /** Its selections restrict every call. */
  readonly caller: Caller
  readonly way: ToolSelection['way']
}

/** The address wins over the key, but it only narrows the selection of the key. @param address null: it names no tools */
export function connect(caller: Caller, address: ToolSelection | null): Connection {
  const own = caller.tools ?? SEARCH
  const selections = [own, ...(address ? [address] : [])]
  return { caller: { ...caller, selections }, way: (address ?? own).way }
}

/** The longest name of a tool that all APIs of models take: test/cards/providers.ts has their limits. */
const LONGEST_NAME = 63
const DIGEST = 8

/** Hosts pass tools on to models, whose APIs allow no dots in a name. A long name ends with a digest of its id. */
export function toolName(id: string): string {
  const name = id.replaceAll('.', '_')
  if (name.length <= LONGEST_NAME) return name
  const digest = createHash('sha256').update(id).digest('hex').slice(0, DIGEST)
  return `${name.slice(0, LONGEST_NAME - DIGEST - 1)}_${digest}`
}

/**
 * The tools of a connection: of the capabilities, only those that its caller may call.
 * @param profile the dialect in which tools say what they return; null: they do not say it
 */
export function listTools(
  catalog: Catalog,
  client: Connection,
  profile: ProfileName | null = null,
): readonly Tool[] {
  const { caller, way } = client
  const cards = way === 'search' ? [] : catalog.all().filter(card => mayCall(caller, card))
  if (profile === null) return [...cards.map(describeTool), ...ownTools(client)]
  return [
    ...cards.map(card => withOutput(describeTool(card), outputOfCard(card, profile))),
    ...ownTools(client).map(tool => withOutput(tool, outputOfOwn(tool.name, profile))),
  ]
}

function withOutput(tool: Tool, outputSchema: OutputSchema): Tool {
  return { ...tool, outputSchema: outputSchema as Tool['outputSchema'] }
}

/** The tools of the gateway itself. */
export function ownTools({ way }: Pick<Connection, 'way'>): readonly Tool[] {
  const common = [BATCH_TOOL, HINTS_TOOL]
  return way === 'search' ? [SEARCH_TOOL, DESCRIBE_TOOL, CALL_TOOL, ...common] : common
}

/** Finds the card of a tool, by the tool's name or the card's id. */
export function cardOf(catalog: Catalog, { caller }: Connection, name: string): Card | undefined {
  const card = catalog.get(name) ?? catalog.all().find(({ id }) => toolName(id) === name)
  return card && isOffered(caller, card) ? card : undefined
}

/** Answers name the tool that makes a call, and only calls that the client may make. */
export function doorOf(catalog: Catalog, { caller, way }: Connection): Door {
  const door: Door =
    way === 'search'
      ? { kind: 'mcp_search', nameOf: () => CALL_TOOL.name }
      : { kind: 'mcp', nameOf: id => (catalog.get(id) ? toolName(id) : null) }
  return restrictDoor(door, catalog, card => mayCall(caller, card))
}

/** The input with the options of a call. A member of the input wins over an option of its name. */
function argumentsOf(card: Card): ToldSchema {
  const schema = toldSchema(card.input)
  const { properties } = schema
  return { ...schema, properties: { ...properties, ...optionsOf(card), ...properties } }
}

/** Describes a capability to a client, without how the upstream is reached. */
function describeTool(card: Card): Tool {
  const { id, description, effect, destructive, deprecated } = card
  return {
    name: toolName(id),
    title: id,
    description: deprecated === null ? description : `${description} Deprecated: ${deprecated}`,
    inputSchema: argumentsOf(card) as Tool['inputSchema'],
    annotations: {
      readOnlyHint: effect === 'read',
      destructiveHint: destructive,
      idempotentHint: effect !== 'write',
      openWorldHint: true,
    },
  }
}
