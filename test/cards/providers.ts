/**
 * The limits that providers of models publish for tools, and what their APIs answer when a tool breaks them. Each entry names the
 * pages that it was read from. An input schema that keeps all of them can be sent to any of the providers.
 */
export interface Provider {
  readonly name: string
  readonly sources: readonly string[]
  readonly toolName: RegExp
  readonly memberName: RegExp
  /** Keywords that a schema may have, at any depth. */
  readonly keywords: readonly string[]
  readonly types: readonly string[]
  /** Keywords that the outermost schema may not have. */
  readonly notAtTop: readonly string[]
  /** Objects within objects, the outermost included. */
  readonly deepest: number
  /** Members in one schema, at any depth. */
  readonly mostMembers: number
  /** Values of all `enum` of one schema. */
  readonly mostValues: number
  /** Tools in one request. */
  readonly mostTools: number
  /** In strict mode, each object has to say `additionalProperties: false`. */
  readonly closesObjects: boolean
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array']
const SIMPLE = ['type', 'description', 'properties', 'required', 'items', 'enum', 'anyOf']

export const PROVIDERS: readonly Provider[] = [
  {
    name: 'OpenAI',
    sources: [
      'ChatCompletionFunctions, openai-client-base 0.12.0 (docs.rs): names of functions',
      'LangSchema.Converter.OpenAI, lang_schema 0.7.1 (hex.pm): keywords, types, depth and members in strict mode, after platform.openai.com/docs/guides/structured-outputs/supported-schemas',
      'limits.rs of artifactize-core 0.14.2 (docs.rs): values of enum, after developers.openai.com/api/docs/guides/structured-outputs',
      "langchain-ai/langchainjs issue 9804: schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level",
      'CompletionCreateRequest.Tools (reference.aspose.com): at most 128 functions',
    ],
    toolName: /^[a-zA-Z0-9_-]{1,64}$/,
    memberName: /^/,
    keywords: [...SIMPLE, 'const', 'additionalProperties', '$ref', '$defs'],
    types: TYPES,
    notAtTop: ['oneOf', 'anyOf', 'allOf', 'enum', 'not'],
    deepest: 5,
    mostMembers: 100,
    mostValues: 1000,
    mostTools: 128,
    closesObjects: true,
  },
  {
    name: 'Anthropic',
    sources: [
      'Define tools - Claude API Docs: names of tools',
      'LangSchema.Converter.Anthropic, lang_schema 0.7.1 (hex.pm): keywords and types, after platform.claude.com/docs/en/build-with-claude/structured-outputs',
      'diegosouzapw/OmniRoute issue 13552, which quotes platform.claude.com/docs/en/managed-agents/self-hosted-sandboxes: no $ref, no oneOf, anyOf and allOf at the top, names of members',
    ],
    toolName: /^[a-zA-Z0-9_-]{1,64}$/,
    memberName: /^[a-zA-Z0-9_.-]{1,64}$/,
    keywords: [...SIMPLE, 'const', 'default', 'format', 'additionalProperties'],
    types: [...TYPES, 'null'],
    notAtTop: ['oneOf', 'anyOf', 'allOf'],
    deepest: Number.POSITIVE_INFINITY,
    mostMembers: Number.POSITIVE_INFINITY,
    mostValues: Number.POSITIVE_INFINITY,
    mostTools: Number.POSITIVE_INFINITY,
    closesObjects: true,
  },
  {
    name: 'Gemini',
    sources: [
      'FunctionDeclarationOrBuilder, Vertex AI for Java (cloud.google.com): names of functions and of members',
      'Schema, Gemini Enterprise Agent Platform v1 (docs.cloud.google.com), and Class GoogleCloudAiplatformV1Schema (googleapis.dev): keywords',
      'Cloud AI Platform v1 API - Enum Type (cloud.google.com): types',
      'SchemaInterface, React Native Firebase (reference.rnfirebase.io): no format of texts but enum and date-time',
      'Function calling reference, Vertex AI (cloud.google.com): at most 128 function declarations',
    ],
    toolName: /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/,
    memberName: /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/,
    keywords: [...SIMPLE, 'title', 'nullable', 'additionalProperties'],
    types: TYPES,
    notAtTop: [],
    deepest: Number.POSITIVE_INFINITY,
    mostMembers: Number.POSITIVE_INFINITY,
    mostValues: Number.POSITIVE_INFINITY,
    mostTools: 128,
    closesObjects: false,
  },
]

type Schema = Readonly<Record<string, unknown>>

interface Part {
  readonly path: string
  readonly schema: Schema
  /** Objects around and including this part. */
  readonly depth: number
}

/** Says how a tool breaks the limits of a provider. */
export function faultsOf(
  provider: Provider,
  tool: { readonly name: string; readonly inputSchema: Schema },
): string[] {
  const parts = partsOf({ path: '', schema: tool.inputSchema, depth: 1 })
  const members = parts.flatMap(({ schema }) => Object.keys(asSchema(schema.properties)))
  const values = parts.flatMap(({ schema }) => (schema.enum as unknown[] | undefined) ?? [])
  const keywords = parts.flatMap(({ path, schema }) =>
    Object.keys(schema)
      .filter(keyword => !provider.keywords.includes(keyword))
      .map(keyword => `${path} ${keyword}`),
  )
  const types = parts
    .filter(({ schema }) => !isTyped(provider, schema))
    .map(({ path, schema }) => `${path} has the type ${String(schema.type)}`)
  return [
    ...(provider.toolName.test(tool.name) ? [] : [`the name ${tool.name}`]),
    ...(tool.inputSchema.type === 'object' ? [] : ['is no object']),
    ...provider.notAtTop.filter(keyword => keyword in tool.inputSchema),
    ...members.filter(name => !provider.memberName.test(name)),
    ...keywords,
    ...types,
    ...parts.filter(({ depth }) => depth > provider.deepest).map(({ path }) => `${path} is deep`),
    ...(members.length > provider.mostMembers ? [`${members.length} members`] : []),
    ...(values.length > provider.mostValues ? [`${values.length} values`] : []),
    ...parts.filter(isUndescribed).map(({ path }) => `${path} has no description`),
  ].map(fault => `${tool.name}: ${fault}`)
}

/** The objects of a schema that take members of any name. */
export function openObjects(schema: Schema): string[] {
  return partsOf({ path: '', schema, depth: 1 })
    .filter(part => part.schema.type === 'object' && part.schema.additionalProperties !== false)
    .map(({ path }) => path)
}

function isTyped({ types }: Provider, { type, anyOf }: Schema): boolean {
  return type === undefined ? Array.isArray(anyOf) : types.includes(type as string)
}

function isUndescribed({ path, schema }: Part): boolean {
  return /\.[^.[\]|*]+$/.test(path) && typeof schema.description !== 'string'
}

function partsOf(part: Part): Part[] {
  const { path, schema } = part
  const depth = schema.type === 'object' ? part.depth + 1 : part.depth
  const inner: [string, unknown][] = [
    ...Object.entries(asSchema(schema.properties)).map(
      ([name, member]) => [`${path}.${name}`, member] as [string, unknown],
    ),
    [`${path}[]`, schema.items],
    [`${path}.*`, schema.additionalProperties],
    ...((schema.anyOf as unknown[] | undefined) ?? []).map(
      (one, index) => [`${path}|${index}`, one] as [string, unknown],
    ),
  ]
  return [
    part,
    ...inner.flatMap(([at, one]) =>
      typeof one === 'object' && one !== null
        ? partsOf({ path: at, schema: one as Schema, depth })
        : [],
    ),
  ]
}

function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? (value as Schema) : {}
}
