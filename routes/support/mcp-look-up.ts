import { isOffered, mayCall, requirePermission } from '../../src/access/permission.ts'
import { findCards, likelyIds } from '../../src/cards/search.ts'
import { signatureOf } from '../../src/cards/signature.ts'
import { toldSchema } from '../../src/cards/told-schema.ts'
import { compileInput } from '../../src/cards/validate.ts'
import { firstSentence } from '../../src/lib/text.ts'
import { withoutNulls } from '../../src/lib/without-nulls.ts'
import type { Caller } from '../../src/model/caller.ts'
import type { Card } from '../../src/model/card.ts'
import { GatewayError } from '../../src/model/errors.ts'
import { DescribeInput, HintsInput, SearchInput } from './mcp-own-tools.ts'
import type { McpClient, McpParts, ToolUse } from './mcp-parts.ts'
import { doorOf } from './mcp-tools.ts'

/** Answers without calling anything. @throws {GatewayError} VALIDATION for arguments that do not fit the tool */
export type LookUp = (
  parts: McpParts,
  client: McpClient,
  use: Pick<ToolUse, 'args'>,
  refuse: (error: GatewayError, wanted: string) => void,
) => object

const parseSearch = compileInput('search', SearchInput)

/** Ranks the capabilities that the client may call. An empty query finds all. */
export const search: LookUp = ({ catalog }, { caller }, { args }) => {
  const { query, effect, limit = 10 } = parseSearch(withoutNulls(args)) as SearchInput
  const words = query.trim()
  const found = findCards(catalog, { query: words === '' ? undefined : words, effect }).filter(
    card => mayCall(caller, card),
  )
  const more = found.length - limit
  return {
    capabilities: found.slice(0, limit).map(inBrief),
    ...(more > 0 ? { more } : {}),
  }
}

function inBrief({ id, effect, destructive, description, input }: Card) {
  return {
    id,
    effect,
    ...(destructive ? { destructive } : {}),
    does: firstSentence(description),
    input: signatureOf(input),
  }
}

const parseDescribe = compileInput('describe', DescribeInput)

/** Shows what a call needs to know, of capabilities that the client may call. */
export const describe: LookUp = ({ catalog }, { caller }, { args }, refuse) => {
  const { ids, output = false } = parseDescribe(withoutNulls(args)) as DescribeInput
  const visible = (card: Card) => mayCall(caller, card)
  // Capabilities that the connection leaves out are unknown to it.
  const named = [...new Set(ids)].flatMap(id => catalog.get(id) ?? [])
  const offered = named.filter(card => isOffered(caller, card))
  const known = offered.filter(visible)
  const forbidden = offered.flatMap(card => refusalOf(caller, card) ?? [])
  for (const { id, error } of forbidden) refuse(error, id)
  const unknown = ids.filter(id => !offered.some(card => card.id === id))
  return {
    capabilities: known.map(card => factsOf(card, output)),
    ...(forbidden.length === 0
      ? {}
      : {
          forbidden: forbidden.map(({ id, error: { code, message } }) => ({ id, code, message })),
        }),
    notFound: unknown.map(id => ({ id, likely: likelyIds(catalog.all(), id, visible) })),
  }
}

function refusalOf(caller: Caller, card: Card): { id: string; error: GatewayError } | null {
  try {
    requirePermission(caller, card)
    return null
  } catch (error) {
    if (error instanceof GatewayError) return { id: card.id, error }
    throw error
  }
}

function factsOf(card: Card, withOutput: boolean) {
  const { id, description, effect, destructive, deprecated, page, input, output, routes } = card
  return {
    id,
    description,
    effect,
    ...(destructive ? { destructive } : {}),
    ...(deprecated === null ? {} : { deprecated }),
    routes: routes.map(({ route }) => route),
    ...(page ? { page } : {}),
    input: toldSchema(input),
    ...(withOutput ? { output } : {}),
  }
}

const parseHints = compileInput('get_hints', HintsInput)

export function findHints(
  { hints, catalog }: McpParts,
  client: McpClient,
  { args }: Pick<ToolUse, 'args'>,
): object {
  const { hintIds } = parseHints(args) as HintsInput
  return hints.find(hintIds, client.language, doorOf(catalog, client))
}
