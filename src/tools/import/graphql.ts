import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  parse,
  print,
} from 'graphql'
import { firstSentence } from '../../lib/text.ts'
import { answerOf } from './graphql-answer.ts'
import { inputSchema, usedFields } from './graphql-input.ts'
import { InputMembers, read } from './input-members.ts'
import { capitalized, idOf, idOfName, singular, wordsOf } from './names.ts'
import { type Connection, type Draft, ImportError, type Offer, type Service } from './offer.ts'
import { connectionOf } from './selection.ts'

type Field = GraphQLField<unknown, unknown>
type Kind = 'query' | 'mutation'

/** The schema of a service, whose text goes beside the cards, so that their documents are checked with it. */
export function readGraphql(schema: GraphQLSchema, sdl: string, title: string): Service {
  const fieldsOf = (kind: Kind) =>
    Object.values(
      (kind === 'query' ? schema.getQueryType() : schema.getMutationType())?.getFields() ?? {},
    ).map(field => offerOf(field, kind))
  const offers = [...fieldsOf('query'), ...fieldsOf('mutation')]
  if (offers.length === 0) {
    throw new ImportError(
      'the schema has neither a Query nor a Mutation with fields, so there is nothing to call',
    )
  }
  return { title, offers, connection: (prefix, url) => connectionTo(sdl, prefix, url) }
}

function connectionTo(sdl: string, prefix: string, url: string | null): Connection {
  const fallback = url === null ? '' : `:-${url}`
  return {
    route: 'graphql',
    section: {
      url: `\${${prefix}_URL${fallback}}`,
      headers: { authorization: 'Bearer ${credential}' },
      sdl: 'schema.graphql',
    },
    url,
    mayNeedCredential: true,
    notes: ['A schema says nothing of credentials: without one, the header is left out.'],
    files: { 'schema.graphql': sdl },
  }
}

function offerOf(field: Field, kind: Kind): Offer {
  return {
    label: `${kind} ${field.name}`,
    name: field.name,
    id: idOfField(field, kind),
    otherId: idOf(kind, wordsOf(field.name).join('_')),
    effect: kind === 'query' ? 'read' : 'write',
    draft: () => draftOf(field, kind),
  }
}

/** `parts` is `part.list`, `part` is `part.view`, and `closeOrder` is `order.close`. */
function idOfField({ name, type }: Field, kind: Kind): string {
  const known = idOfName(name)
  if (known !== null) return known
  const [first = 'value', ...others] = wordsOf(name)
  if (kind === 'mutation')
    return others.length > 0 ? idOf(others.join('_'), first) : idOf(first, 'run')
  const isList = connectionOf(type) !== null || isListType(getNullableType(type))
  const last = others.at(-1) ?? first
  const nouns = [first, ...others].slice(0, -1)
  return isList
    ? idOf([...nouns, singular(last)].join('_'), 'list')
    : idOf([...nouns, last].join('_'), 'view')
}

function draftOf(field: Field, kind: Kind): Draft {
  const notes = new Set<string>()
  const answer = answerOf(field.type, `body.${field.name}`, kind === 'mutation', notes)
  const args = usedFields(field.args)
  const pages =
    connectionOf(field.type) !== null &&
    ['first', 'after'].every(name => args.some(arg => arg.name === name))
  // The gateway pages forward: these two would page backward.
  const sent = pages ? args.filter(({ name }) => name !== 'last' && name !== 'before') : [...args]
  const members = new InputMembers()
  const variables = addMembers(sent, members, pages)
  const document = documentOf(field, kind, sent, answer.selection)
  const about = firstSentence(field.description ?? '').replaceAll(/\s+/g, ' ')
  return {
    description: about || `${capitalized(kind)} ${field.name}.`,
    input: members.toSchema(),
    output: answer.output,
    route: 'graphql',
    section: {
      document,
      ...(sent.length > 0 ? { variables } : {}),
      ...(answer.missing === null ? {} : { missing: answer.missing }),
      result: answer.result,
    },
    more: {
      ...(pages ? { page: { cursor: 'after', size: 'first' } } : {}),
      ...(answer.isList ? { list: { path: 'items' } } : {}),
      ...(field.deprecationReason == null
        ? {}
        : { deprecated: field.deprecationReason || 'Deprecated.' }),
    },
    notes: [...notes],
    needsCredential: false,
  }
}

/** The size of a page needs a default: many services refuse a list without one. */
const PAGE_SIZE = { type: 'integer', minimum: 1, maximum: 100, default: 30 }

function addMembers(
  args: readonly GraphQLArgument[],
  members: InputMembers,
  pages: boolean,
): Readonly<Record<string, unknown>> {
  const [only] = args
  const inner =
    only && args.length === 1 && isRequiredArgument(only) ? getNullableType(only.type) : null
  if (only && isInputObjectType(inner)) {
    // The one object that mutations take is no level of its own for a caller.
    const fields = usedFields(Object.values(inner.getFields()))
    const names = fields.map(field => {
      const isRequired = isNonNullType(field.type) && field.defaultValue === undefined
      return [
        field.name,
        read(members.add(field.name, 'input', inputSchema(field, [inner.name]), isRequired)),
      ]
    })
    return { [only.name]: Object.fromEntries(names) }
  }
  const names = args.map(arg => {
    const schema = pages && arg.name === 'first' ? PAGE_SIZE : inputSchema(arg)
    const isRequired = isRequiredArgument(arg) && schema !== PAGE_SIZE
    return [arg.name, read(members.add(arg.name, 'argument', schema, isRequired))]
  })
  return Object.fromEntries(names)
}

function documentOf(
  field: Field,
  kind: Kind,
  args: readonly GraphQLArgument[],
  selection: string,
): string {
  const declared = args.map(({ name, type, defaultValue }) => {
    // With a default it may be left out, which a variable that cannot be null may not.
    const own = isNonNullType(type) && defaultValue !== undefined ? type.ofType : type
    return `$${name}: ${String(own)}`
  })
  const given = args.map(({ name }) => `${name}: $${name}`)
  const inBrackets = (parts: readonly string[]) => (parts.length > 0 ? `(${parts.join(', ')})` : '')
  const name = capitalized(field.name)
  return print(
    parse(
      `${kind} ${name}${inBrackets(declared)} { ${field.name}${inBrackets(given)} ${selection} }`,
    ),
  )
}
