import type { JsonSchema } from '../../model/card.ts'
import type { InputMembers } from './input-members.ts'
import { convertSchema, type SchemaContext } from './json-schema.ts'
import type { Paging } from './paging.ts'
import type { Json } from './references.ts'
import type { Answer } from './response.ts'

const USUAL_SIZE = 30
const FULL_PAGE = 100

/** Adds the members with which callers page through a list. */
export function addPagingMembers({ largest, pageInfo }: Paging, members: InputMembers): void {
  // The gateway itself puts numbered pages together.
  const maximum = pageInfo === null ? FULL_PAGE : largest
  const size = { type: 'integer', minimum: 1, maximum, default: Math.min(USUAL_SIZE, maximum) }
  members.add(
    'after',
    'page',
    { type: 'string', description: 'The endCursor of the page before.' },
    false,
  )
  members.add('first', 'page', size, false)
}

const PAGE_INFO: JsonSchema = {
  type: 'object',
  required: ['hasNextPage', 'endCursor'],
  properties: { hasNextPage: { type: 'boolean' }, endCursor: { type: ['string', 'null'] } },
}

/** The answer of a paged list: its items, and where the next page begins. */
export function pagedAnswer(paging: Paging, context: SchemaContext): Answer {
  context.notes.add(paging.note)
  const { type: _, ...list } = convertSchema(paging.list, context)
  const properties = { items: { ...list, type: 'array' }, pageInfo: PAGE_INFO }
  return {
    output: {
      type: 'object',
      required: ['items', 'pageInfo'],
      additionalProperties: false,
      properties,
    },
    section: sectionFor(paging),
    list: 'items',
  }
}

function sectionFor({ items, pageInfo, largest }: Paging): Json {
  if (pageInfo !== null) return { result: `{items: ${items} || \`[]\`, pageInfo: ${pageInfo}}` }
  const limit = largest < FULL_PAGE ? { largest } : {}
  return { pages: { items, ...limit }, result: '{items: items, pageInfo: pageInfo}' }
}
