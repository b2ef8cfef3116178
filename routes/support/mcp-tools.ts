import type { Tool } from '@modelcontextprotocol/server'
import type { Catalog } from '../../src/cards/catalog.ts'
import { toldSchema } from '../../src/cards/told-schema.ts'
import type { Card } from '../../src/model/card.ts'
import type { Door } from '../../src/model/door.ts'

/** Hosts pass tools on to models, whose APIs allow no dots in a name. */
export function toolName(id: string): string {
  return id.replaceAll('.', '_')
}

/** Finds the card of a tool, by the tool's name or the card's id. */
export function cardOf(catalog: Catalog, name: string): Card | undefined {
  return catalog.get(name) ?? catalog.all().find(({ id }) => toolName(id) === name)
}

/** Selects the capabilities that a client wants as tools, such as `repo.*,issue.view`; all when it names none. */
export function chosenCards(catalog: Catalog, patterns: readonly string[] | null): readonly Card[] {
  return catalog.all().filter(card => isChosen(card, patterns))
}

function isChosen({ id }: Card, patterns: readonly string[] | null): boolean {
  return patterns === null || split(patterns).some(pattern => matches(pattern, id))
}

/** A client calls a capability by the name of its tool, and only those that it has chosen. */
export function doorOf(catalog: Catalog, patterns: readonly string[] | null): Door {
  const nameOf = (id: string) => {
    const card = catalog.get(id)
    return card && isChosen(card, patterns) ? toolName(id) : null
  }
  return { kind: 'mcp', nameOf }
}

/** Finds the patterns that select no capability, most likely because they are misspelt. */
export function idlePatterns(
  catalog: Catalog,
  patterns: readonly string[] | null,
): readonly string[] {
  const cards = catalog.all()
  return split(patterns ?? []).filter(pattern => !cards.some(({ id }) => matches(pattern, id)))
}

function split(patterns: readonly string[]): readonly string[] {
  return patterns.flatMap(list => list.split(',')).map(pattern => pattern.trim())
}

function matches(pattern: string, id: string): boolean {
  return pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : id === pattern
}

/** Describes a capability to a client, without how the upstream is reached. */
export function describeTool({ id, description, effect, input, deprecated }: Card): Tool {
  return {
    name: toolName(id),
    title: id,
    description: deprecated === null ? description : `${description} Deprecated: ${deprecated}`,
    inputSchema: toldSchema(input) as Tool['inputSchema'],
    annotations: {
      readOnlyHint: effect === 'read',
      idempotentHint: effect !== 'write',
      openWorldHint: true,
    },
  }
}

export const HINTS_TOOL: Tool = {
  name: 'get_hints',
  description: 'Look up what to do about errors, by their hint_id.',
  inputSchema: {
    type: 'object',
    properties: { ids: { type: 'array', items: { type: 'string' }, maxItems: 100 } },
    required: ['ids'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
}
