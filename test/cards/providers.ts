/**
 * The limits that providers of models publish for tools, and what their APIs answer when a tool breaks them. Each entry names the
 * pages that it was read from. An input schema that keeps all of them can be sent to any of the providers.
 */
export interface Provider {
  readonly name: string
  /** Pages of the provider itself, as they were in the index of November 2026. */
  readonly sources: readonly string[]
  /** Pages of others that quote the provider, where no page of its own could be read. */
  readonly secondary?: readonly string[]
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

/** For providers of which only the limits of names could be read: the others' limits hold for schemas. */
const NAMES_ONLY = {
  memberName: /^/,
  keywords: [...SIMPLE, 'additionalProperties'],
  types: TYPES,
  notAtTop: [],
  deepest: Number.POSITIVE_INFINITY,
  mostMembers: Number.POSITIVE_INFINITY,
  mostValues: Number.POSITIVE_INFINITY,
  mostTools: Number.POSITIVE_INFINITY,
  closesObjects: false,
} as const

/** Where pages disagree, the strictest counts: an old one may still hold for an old model. */
export const PROVIDERS: readonly Provider[] = [
  {
    name: 'OpenAI',
    sources: [],
    secondary: [
      'https://portkey.ai/error-library/input-validation-error-10046 quotes the error of the API: names match ^[a-zA-Z0-9_-]{1,64}$',
      'https://pub.dev/documentation/dart_openai/latest/dart_openai/OpenAIFunctionModel/name.html: the same, in words',
      'https://jsonschemaprofiles.unitvectorylabs.com/schemas/openai, after platform.openai.com/docs/guides/structured-outputs/supported-schemas: types and keywords of strict mode, no anyOf at the top, 1000 values of enum; today 10 levels and 5000 members',
      'https://community.openai.com/t/measuring-maximum-depth-and-object-properties-in-structured-outputs/918388 quotes the limits before: 5 levels and 100 members',
      "langchain-ai/langchainjs issue 9804: schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level",
      'https://reference.aspose.com/pdf/zh/net/aspose.pdf.ai/completioncreaterequest/tools: at most 128 functions',
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
      'Define tools, platform.claude.com/docs/en/agents-and-tools/tool-use: names of tools',
      'https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-reference: properties of a tool',
    ],
    secondary: [
      "github/copilot-cli issue 1879 quotes the error of the API: names match '^[a-zA-Z0-9_-]{1,128}$'. It was 64 before",
      'LangSchema.Converter.Anthropic, lang_schema 0.7.1 (hex.pm), after platform.claude.com/docs/en/build-with-claude/structured-outputs: keywords and types',
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
      'https://ai.google.dev/api/python/google/generativeai/protos/FunctionCall (2024): letters, digits, underscores and dashes, at most 63',
      'https://firebase.google.com/docs/reference/js/ai.functiondeclaration.md: begins with a letter or an underscore, at most 64',
      'https://googleapis.github.io/java-genai/javadoc/google-genai/com.google.genai.types/-function-declaration/-builder/name.html: dots and colons too, at most 64. Version 17 of googleapis for Dart, made from the API, says 128',
      'Schema, Gemini Enterprise Agent Platform v1 (docs.cloud.google.com), and Class GoogleCloudAiplatformV1Schema (googleapis.dev): keywords',
      'Cloud AI Platform v1 API - Enum Type (cloud.google.com): types',
      'Function calling reference, Vertex AI (cloud.google.com): at most 128 function declarations',
    ],
    secondary: [
      'SchemaInterface, React Native Firebase (reference.rnfirebase.io): no format of texts but enum and date-time',
    ],
    toolName: /^[a-zA-Z_][a-zA-Z0-9_-]{0,62}$/,
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
  {
    ...NAMES_ONLY,
    name: 'Amazon Bedrock',
    sources: [
      'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html: [a-zA-Z0-9_-]+, at most 64',
      'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_agent_ToolSpecification.html, for prompts and agents: [a-zA-Z][a-zA-Z0-9_]*, at most 64',
    ],
    toolName: /^[a-zA-Z][a-zA-Z0-9_]{0,63}$/,
  },
  {
    ...NAMES_ONLY,
    name: 'Cohere',
    sources: [
      'https://docs.cohere.com/docs/tool-use-parameter-types: with strict_tools, at most 200 fields of all tools in a request',
    ],
    secondary: [
      'https://docs.oracle.com/en-us/iaas/tools/python/latest/api/generative_ai_inference/models/oci.generative_ai_inference.models.CohereTool.html, for models of Cohere at Oracle: letters, digits and underscores, not a digit first',
    ],
    toolName: /^[a-zA-Z_][a-zA-Z0-9_]*$/,
    mostMembers: 200,
  },
  {
    ...NAMES_ONLY,
    name: 'Mistral',
    sources: [],
    secondary: [
      "https://docs.rs/crate/mistral-rouille/latest/source/docs/ChatCompletionRequestFunctionCallToolsInnerFunction.md, made from Mistral's OpenAPI document: letters, digits, underscores and dashes, at most 64",
    ],
    toolName: /^[a-zA-Z0-9_-]{1,64}$/,
  },
  {
    ...NAMES_ONLY,
    name: 'Moonshot',
    sources: [],
    secondary: [
      'https://cljdoc.org/d/io.github.hive-agi/autonomous/0.3.0/doc/tool-names: ^[a-zA-Z_][a-zA-Z0-9-_]{0,127}',
    ],
    toolName: /^[a-zA-Z_][a-zA-Z0-9_-]{0,127}$/,
  },
  {
    ...NAMES_ONLY,
    name: 'Oracle',
    sources: [
      'https://docs.oracle.com/en-us/iaas/tools/dotnet/latest/api/Oci.GenerativeaiinferenceService.Models.FunctionCall.html: letters, digits, underscores and dashes, at most 64',
    ],
    toolName: /^[a-zA-Z0-9_-]{1,64}$/,
  },
  {
    ...NAMES_ONLY,
    name: 'xAI',
    sources: [],
    // No page with limits of its own could be found.
    secondary: [
      "https://hexdocs.pm/langchain/LangChain.ChatModels.ChatGrok.html: the API takes OpenAI's format",
    ],
    toolName: /^[a-zA-Z0-9_-]{1,64}$/,
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
