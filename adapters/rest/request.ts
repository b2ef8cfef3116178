import type { ParameterForm } from '../../src/lib/parameters.ts'
import { compileTarget, type TargetBuilder } from '../../src/lib/request-target.ts'
import type { CallContext, SectionCompiler } from '../../src/model/adapter.ts'
import type { Schemes } from '../../src/model/credential.ts'
import type { ExpressionScope, ExpressionTree } from '../../src/model/expression.ts'
import type { HttpRequest } from '../http/wire/client.ts'
import { setHeader } from '../http/wire/header-list.ts'
import { compileSecretQuery } from '../http/wire/place-credential.ts'
import type { HeaderBuilder } from '../http/wire/request-headers.ts'
import { type Body, compileBody } from './body.ts'
import { ACCEPTED } from './formats.ts'
import { compileCardHeaders, type DeclaredHeaders, schemeNames } from './headers.ts'
import { compileNamed } from './named.ts'
import { compileForms } from './parameter-forms.ts'
import { readingOf } from './reading.ts'
import type { RestCardSection } from './schema.ts'

export type RequestBuilder = (
  scope: ExpressionScope,
  context: CallContext,
) => HttpRequest | Promise<HttpRequest>

/** The upstream's part of a request. */
export interface RequestBase extends DeclaredHeaders {
  readonly path: string
  readonly headers: HeaderBuilder
  readonly declaresAccept: boolean
}

/** Compiles a card's request. The builder throws `ValueError` for a value that cannot be sent. */
export function compileRequest(
  section: RestCardSection,
  base: RequestBase,
  compiler: SectionCompiler,
): RequestBuilder {
  const target = compileSectionPath(section, compiler)
  const query = compileQuery(section, base.schemes, compiler)
  const addHeaders = compileCardHeaders(section, base, compiler)
  const body = compileBody(section, compiler)
  checkKeptNames(section, compiler)
  const fixed = fixedPartOf(section, compiler)
  const secretQuery = compileSecretQuery(base.schemes)
  const accepted = base.declaresAccept ? null : ACCEPTED[section.parse ?? 'json']
  return (scope, context) => {
    const headers = base.headers(context)
    if (accepted !== null) headers.push('accept', accepted)
    addHeaders(headers, scope)
    if (context.etag !== undefined) headers.push('if-none-match', context.etag)
    const parameters = query.map(([form, tree]) => [form, tree(scope)] as const)
    const path = base.path + target(pathValues(scope), parameters)
    const complete = (sent: Body | null): HttpRequest => {
      if (sent !== null) setHeader(headers, 'content-type', sent.type)
      const { credential, held, effect } = context
      return {
        ...fixed,
        path,
        headers,
        secretQuery: secretQuery(credential),
        body: sent?.content ?? null,
        held,
        once: effect === 'write',
        secrets: credential?.secrets,
      }
    }
    const written = body(scope)
    return written instanceof Promise ? written.then(complete) : complete(written)
  }
}

/** The members that all requests of a card have in common. */
function fixedPartOf(section: RestCardSection, compiler: SectionCompiler) {
  const { method, redirects } = section
  return { method, anywhere: redirects === 'anywhere', ...readingOf(section, compiler) }
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

function compileQuery(
  section: RestCardSection,
  schemes: Schemes,
  compiler: SectionCompiler,
): readonly (readonly [ParameterForm, ExpressionTree])[] {
  const { query = {} } = section
  for (const name of schemeNames(schemes, 'query')) {
    if (!Object.hasOwn(query, name)) continue
    compiler.problem(['query', name], 'carries a credential', 'Remove it: its scheme sends it.')
  }
  const formOf = compileForms(
    'query',
    Object.keys(query),
    section,
    compiler,
    schemeNames(schemes, 'query'),
  )
  return compileNamed(query, 'query', compiler).map(([name, tree]) => [formOf(name), tree])
}

/** Reports parameters of `keep_empty` that do not exist. */
function checkKeptNames(
  { keep_empty: kept = [], query = {}, body, encoding }: RestCardSection,
  compiler: SectionCompiler,
): void {
  const isForm = encoding === 'form'
  const names = { ...query, ...(isForm && typeof body === 'object' ? body : {}) }
  kept.forEach((name, index) => {
    if (Object.hasOwn(names, name) || (isForm && typeof body === 'string')) return
    const fix = 'Name a parameter of query, or a member of a body with encoding: form.'
    compiler.problem(['keep_empty', index], `${name} is no parameter`, fix)
  })
}

/** The values for a path: the input's members, lookup answers and, in a follow-up request, the write's answer. */
function pathValues({ input, lookup, body, item }: ExpressionScope): ExpressionScope {
  if (!lookup && !body && item === undefined) return (input ?? {}) as ExpressionScope
  return {
    ...((input ?? {}) as ExpressionScope),
    ...(lookup ? { lookup } : {}),
    ...(body ? { body } : {}),
    ...(item === undefined ? {} : { item }),
  }
}
