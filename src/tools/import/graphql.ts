import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  parse,
  print,
} from 'graphql'
import { firstSentence, oneLine } from '../../lib/text.ts'
import { ImportError } from './errors.ts'
import { answerOf } from './graphql-answer.ts'
import { type InputContext, inputSchemas, usableFields } from './graphql-input.ts'
import { InputMembers, readExpression } from './input-members.ts'
import { capitalized, idOf, idOfName, singular, wordsOf } from './names.ts'
import { newBudget } from './schema-budget.ts'
import { pagedList } from './selection.ts'
import type { Draft, Operation, Service, UpstreamDraft } from './service.ts'

type Field = GraphQLField<unknown, unknown>
type Kind = 'query' | 'mutation'

/** Reads a schema. `sdl` is its text, which goes beside the cards so that Signalbox checks them with it. */
export function readGraphql(schema: GraphQLSchema, sdl: string, title: string): Service {
  const queries = Object.values(schema.getQueryType()?.getFields() ?? {})
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {})
  const things = thingsOf(schema)
  const operations = [
    ...queries.map(field => toOperation(field, 'query', things)),
    ...mutations.map(field => toOperation(field, 'mutation', things)),
  ]
  if (operations.length === 0) {
    throw new ImportError(
      'the schema has neither a Query nor a Mutation with fields, so there is nothing to call',
    )
  }
  return { title, operations, upstream: (prefix, url) => draftUpstream(sdl, prefix, url) }
}

function draftUpstream(sdl: string, prefix: string, url: string | null): UpstreamDraft {
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
    notes: [
      'A schema does not describe credentials. Without a credential, Signalbox omits the header.',
    ],
    files: { 'schema.graphql': sdl },
  }
}

/** The names of the types that have fields, in words: `parcel label` for `ParcelLabel`. */
function thingsOf(schema: GraphQLSchema): ReadonlySet<string> {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType)
  return new Set(types.map(({ name }) => wordsOf(name).join(' ')))
}

function toOperation(field: Field, kind: Kind, things: ReadonlySet<string>): Operation {
  return {
    label: `${kind} ${field.name}`,
    name: field.name,
    id: idOfField(field, kind, things),
    otherId: idOf(kind, wordsOf(field.name).join('_')),
    effect: kind === 'query' ? 'read' : 'write',
    draft: () => draftOf(field, kind),
  }
}

/** `parts` is `part.list`, `part` is `part.view`, and `closeOrder` is `order.close`. */
function idOfField({ name, type }: Field, kind: Kind, things: ReadonlySet<string>): string {
  const known = idOfName(name)
  if (known !== null) return known
  if (kind === 'mutation') return idOfMutation(wordsOf(name), things)
  const [first = 'value', ...others] = wordsOf(name)
  const isList = pagedList(type) !== null || isListType(getNullableType(type))
  const last = others.at(-1) ?? first
  const nouns = [first, ...others].slice(0, -1)
  return isList
    ? idOf([...nouns, singular(last)].join('_'), 'list')
    : idOf([...nouns, last].join('_'), 'view')
}

/** `orderMarkAsPaid` is `order.mark_as_paid` where `Order` is a type: some services put the verb last. */
function idOfMutation(words: readonly string[], things: ReadonlySet<string>): string {
  const begins = (count: number) => things.has(words.slice(0, count).join(' '))
  const count = words.findLastIndex((_, index) => index > 0 && begins(index))
  if (count > 0) return idOf(words.slice(0, count).join('_'), words.slice(count).join('_'))
  const [first = 'value', ...others] = words
  return others.length > 0 ? idOf(others.join('_'), first) : idOf(first, 'run')
}

function draftOf(field: Field, kind: Kind): Draft {
  const notes = new Set<string>()
  const answer = answerOf(field.type, `body.${field.name}`, kind === 'mutation', notes)
  const isPaged = takesCursors(field)
  const args = argumentsToSend(field, isPaged, notes)
  const members = new InputMembers()
  const variables = addMembers(args, members, isPaged, { budget: newBudget(), notes })
  const about = oneLine(firstSentence(field.description ?? ''))
  return {
    description: about || `${capitalized(kind)} ${field.name}.`,
    input: members.toSchema(),
    output: answer.output,
    route: 'graphql',
    section: {
      document: documentOf(field, kind, args, answer.selection),
      ...(args.length > 0 ? { variables } : {}),
      ...(answer.missing === null ? {} : { missing: answer.missing }),
      result: answer.result,
    },
    more: {
      ...(isPaged ? { page: { cursor: 'after', size: 'first' } } : {}),
      ...(answer.isList ? { list: { path: 'items' } } : {}),
      ...deprecation(field),
    },
    notes: [...notes],
    needsCredential: false,
  }
}

function takesCursors({ type, args }: Field): boolean {
  const names = usableFields(args).map(({ name }) => name)
  return pagedList(type) !== null && names.includes('first') && names.includes('after')
}

/** Drops the arguments for paging backward, because the gateway pages forward. */
function argumentsToSend({ args }: Field, isPaged: boolean, notes: Set<string>): GraphQLArgument[] {
  const usable = usableFields(args, notes)
  return isPaged ? usable.filter(({ name }) => name !== 'last' && name !== 'before') : usable
}

function deprecation({ deprecationReason }: Field): { readonly deprecated?: string } {
  return deprecationReason == null ? {} : { deprecated: deprecationReason || 'Deprecated.' }
}

/** Many services refuse a list without a page size, so it has a default. */
const PAGE_SIZE = { type: 'integer', minimum: 1, maximum: 100, default: 30 }

/** Adds the arguments to the input. Returns the variables that send them. */
function addMembers(
  args: readonly GraphQLArgument[],
  members: InputMembers,
  isPaged: boolean,
  context: InputContext,
): Readonly<Record<string, unknown>> {
  const [only] = args
  const inner =
    only && args.length === 1 && isRequiredArgument(only) ? getNullableType(only.type) : null
  // A mutation usually takes one object. Its fields become the input, which saves callers a level.
  if (only && isInputObjectType(inner)) return { [only.name]: addFields(inner, members, context) }
  const schemas = inputSchemas(args, context)
  const names = args.map(arg => {
    const schema = isPaged && arg.name === 'first' ? PAGE_SIZE : (schemas[arg.name] ?? {})
    const isRequired = isRequiredArgument(arg) && schema !== PAGE_SIZE
    return [arg.name, readExpression(members.add(arg.name, 'argument', schema, isRequired))]
  })
  return Object.fromEntries(names)
}

function addFields(type: GraphQLInputObjectType, members: InputMembers, context: InputContext) {
  const fields = usableFields(Object.values(type.getFields()), context.notes)
  const schemas = inputSchemas(fields, context, [type.name])
  const names = fields.map(field => {
    const isRequired = isNonNullType(field.type) && field.defaultValue === undefined
    const member = members.add(field.name, 'input', schemas[field.name] ?? {}, isRequired)
    return [field.name, readExpression(member)]
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
    // An argument with a default is optional, but a non-null variable would have to be sent.
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
