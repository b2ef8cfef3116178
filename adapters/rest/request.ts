import { isRawNumber } from '../../src/lib/exact-json.ts'
import {
  compileTarget,
  type TargetBuilder,
  type TargetParameters,
} from '../../src/lib/request-target.ts'
import { withoutNulls } from '../../src/lib/without-nulls.ts'
import type { CallContext, SectionCompiler } from '../../src/model/adapter.ts'
import type { ExpressionScope, ExpressionTree } from '../../src/model/expression.ts'
import type { HttpRequest } from '../http/wire/client.ts'
import { type HeaderBuilder, headerNameFault, isHeaderValue } from '../http/wire/request-headers.ts'
import { RequestError } from './request-error.ts'
import type { RestCardSection } from './schema.ts'

type Named = readonly (readonly [string, ExpressionTree])[]

export type RequestBuilder = (scope: ExpressionScope, context: CallContext) => HttpRequest

/** Compiles a card's request. The builder throws `TargetError` or `RequestError` for a value that cannot be sent. */
export function compileRequest(
  section: RestCardSection,
  basePath: string,
  upstreamHeaders: HeaderBuilder,
  compiler: SectionCompiler,
): RequestBuilder {
  const { method } = section
  const target = compileSectionPath(section, compiler)
  const query = compileNamed(section.query, 'query', compiler)
  const headers = compileNamed(allowedHeaders(section, compiler), 'headers', compiler)
  const body = compileBody(section, compiler)
  const anywhere = section.redirects === 'anywhere'
  return (scope, context) => {
    const sent = upstreamHeaders(context)
    for (const [name, tree] of headers) appendHeader(sent, name, tree(scope))
    if (context.etag !== undefined) sent.push('if-none-match', context.etag)
    const content = body(scope)
    if (content !== null) sent.push('content-type', 'application/json')
    return {
      method,
      path: basePath + target(pathValues(scope), parameters(query, scope)),
      headers: sent,
      body: content,
      anywhere,
    }
  }
}

function compileSectionPath({ path }: RestCardSection, compiler: SectionCompiler): TargetBuilder {
  try {
    return compileTarget(path)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    compiler.problem(
      ['path'],
      error.message,
      'Write an RFC 6570 template such as /repos/{owner}/{name}.',
    )
    return () => path
  }
}

function compileNamed(
  values: Readonly<Record<string, unknown>> = {},
  key: string,
  compiler: SectionCompiler,
): Named {
  return Object.entries(values).map(
    ([name, value]) => [name, compiler.tree(value, [key, name])] as const,
  )
}

/** Only the upstream's section sets these, so that no value of a caller's can act as a credential. */
const CREDENTIAL_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization'])

function allowedHeaders({ headers = {} }: RestCardSection, compiler: SectionCompiler) {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => {
      const isCredential = CREDENTIAL_HEADERS.has(name.toLowerCase())
      const fault = isCredential ? 'carries a credential' : headerNameFault(name)
      if (fault === null) return true
      const fix = isCredential ? 'Set it under rest.headers in upstream.yaml.' : 'Remove it.'
      compiler.problem(['headers', name], fault, fix)
      return false
    }),
  )
}

/** A card's header replaces the upstream's header of the same name. */
function appendHeader(headers: string[], name: string, value: unknown): void {
  if (value === null || value === undefined) return
  const single = isRawNumber(value) ? value.rawJSON : value
  if (typeof single === 'object') throw new RequestError(name, 'must be a single value')
  const text = String(single as string | number | boolean)
  if (!isHeaderValue(text)) {
    throw new RequestError(name, 'contains characters that a header cannot carry')
  }
  const lower = name.toLowerCase()
  const at = headers.findIndex((item, index) => index % 2 === 0 && item === lower)
  if (at === -1) headers.push(lower, text)
  else headers[at + 1] = text
}

type BodyBuilder = (scope: ExpressionScope) => string | null

function compileBody(section: RestCardSection, compiler: SectionCompiler): BodyBuilder {
  if (section.body === undefined) return () => null
  if (section.method === 'GET' || section.method === 'HEAD') {
    compiler.problem(
      ['body'],
      `has no meaning for ${section.method}`,
      'Use query, or another method.',
    )
  }
  const tree = compiler.tree(section.body, ['body'])
  if (section.keep_nulls) return scope => JSON.stringify(tree(scope))
  return scope => JSON.stringify(withoutNulls(tree(scope)))
}

/** The values for a path: the input's members, lookup answers and, in a follow-up request, the write's answer. */
function pathValues({ input, lookup, body, item }: ExpressionScope): ExpressionScope {
  return {
    ...((input ?? {}) as ExpressionScope),
    ...(lookup ? { lookup } : {}),
    ...(body ? { body } : {}),
    ...(item === undefined ? {} : { item }),
  }
}

function parameters(query: Named, scope: ExpressionScope): TargetParameters {
  return query.map(([name, tree]) => [name, tree(scope)] as const)
}
