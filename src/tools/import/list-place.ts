import { isObject } from '../../lib/is-object.ts'
import { deref, type Json, listOf, objectMembers } from './references.ts'

interface Member {
  readonly name: string
  /** The expression that reads it. */
  readonly path: string
}

/** The list in an answer. */
export interface ListPlace {
  /** The expression that reads it: `body`, or `body.data`. */
  readonly path: string
  /** The schema of the list in the document. */
  readonly schema: Json
  /** The other members of the answer, and of the objects in it. */
  readonly others: readonly Member[]
  /** Whether the answer has a header Link. */
  readonly hasLink: boolean
}

const USUAL = /^(items|data|results?|records|values|entries|list|objects|rows)$/i

/** Finds the list that an operation answers with; null if there is none, or more than one. */
export function listPlace(responses: unknown, document: Json): ListPlace | null {
  const [success] = objectMembers(responses).filter(([status]) => /^2(\d\d|XX)$/i.test(status))
  const answer = deref(document, success?.[1])
  const media = objectMembers(answer.content).find(([type]) => /json/i.test(type))?.[1]
  const schema = merged(media?.schema, document)
  const hasLink = Object.keys(isObject(answer.headers) ? answer.headers : {}).some(name =>
    /^link$/i.test(name),
  )
  if (schema.type === 'array') return { path: 'body', schema, others: [], hasLink }
  const members = readable(schema, document)
  const lists = members.filter(([, member]) => member.type === 'array')
  const [found] = lists.length > 1 ? lists.filter(([name]) => USUAL.test(name)) : lists
  if (!found) return null
  const others = members
    .filter(([name]) => name !== found[0])
    .flatMap(([name, member]) => [
      { name, path: `body.${name}` },
      ...readable(member, document).map(([inner]) => ({
        name: inner,
        path: `body.${name}.${inner}`,
      })),
    ])
  return { path: `body.${found[0]}`, schema: found[1], others, hasLink }
}

function readable(schema: Json, document: Json): [string, Json][] {
  return objectMembers(schema.properties)
    .filter(([name]) => /^[A-Za-z_]\w*$/.test(name) && !/^(let|in)$/.test(name))
    .map(([name, member]) => [name, merged(member, document)])
}

/** The schema with the members of its `allOf`. */
function merged(schema: unknown, document: Json): Json {
  const own = deref(document, schema)
  const parts = listOf(own.allOf).map(part => deref(document, part))
  if (parts.length === 0) return own
  const properties = [own, ...parts].map(part => (isObject(part.properties) ? part.properties : {}))
  return { ...Object.assign({}, ...parts), ...own, properties: Object.assign({}, ...properties) }
}
