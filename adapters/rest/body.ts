import { isObject } from '../../src/lib/is-object.ts'
import { writeParameter } from '../../src/lib/parameters.ts'
import { singleText } from '../../src/lib/value-error.ts'
import { withoutNulls } from '../../src/lib/without-nulls.ts'
import type { SectionCompiler } from '../../src/model/adapter.ts'
import type { ExpressionScope, ExpressionTree } from '../../src/model/expression.ts'
import { bytesOf, membersOf } from './body-values.ts'
import { compileContentType } from './content-type.ts'
import { compileMultipart } from './multipart.ts'
import { compileForms } from './parameter-forms.ts'
import type { Encoding } from './request-schema.ts'
import type { RestCardSection } from './schema.ts'

/** A body as it is sent. */
export interface Body {
  readonly content: string | Buffer
  readonly type: string
}

export type BodyBuilder = (scope: ExpressionScope) => Body | null | Promise<Body>

const NO_BODY: BodyBuilder = () => null

/** Compiles the body of a card's request. The builder throws `ValueError` for a value that cannot be sent. */
export function compileBody(section: RestCardSection, compiler: SectionCompiler): BodyBuilder {
  checkUse(section, compiler)
  const { encoding = 'json', body, files } = section
  if (body === undefined && files === undefined) return NO_BODY
  const tree = body === undefined ? () => null : compiler.tree(body, ['body'])
  const type = compileContentType(section, compiler)
  if (encoding === 'multipart') return compileMultipart(section, tree, compiler)
  const write = WRITERS[encoding](section, tree, compiler)
  return scope => {
    const content = write(scope)
    return content === null ? null : { content, type: type(scope) }
  }
}

/** Reports keys that have no effect. */
function checkUse(section: RestCardSection, compiler: SectionCompiler): void {
  const { method, body } = section
  const key = body !== undefined ? 'body' : 'files'
  if (section[key] === undefined) return checkWithoutBody(section, compiler)
  if (method === 'GET' || method === 'HEAD') {
    compiler.problem([key], `has no meaning for ${method}`, 'Use query, or another method.')
  }
  checkEncoding(section, compiler)
}

function checkEncoding(
  { encoding = 'json', styles, files }: RestCardSection,
  compiler: SectionCompiler,
): void {
  if (files !== undefined && encoding !== 'multipart') {
    compiler.problem(['files'], `cannot be sent as ${encoding}`, 'Write encoding: multipart.')
  }
  if (styles?.body !== undefined && encoding !== 'form') {
    const fix = 'Remove it, or write encoding: form.'
    compiler.problem(['styles', 'body'], `has no effect on ${encoding}`, fix)
  }
}

function checkWithoutBody(section: RestCardSection, compiler: SectionCompiler): void {
  for (const key of ['encoding', 'content_type'] as const) {
    if (section[key] === undefined) continue
    compiler.problem([key], 'has no effect without a body', 'Add body, or remove it.')
  }
}

type Writer = (
  section: RestCardSection,
  tree: ExpressionTree,
  compiler: SectionCompiler,
) => (scope: ExpressionScope) => string | Buffer | null

const WRITERS = {
  json: ({ keep_nulls }, tree) =>
    keep_nulls
      ? scope => JSON.stringify(tree(scope))
      : scope => JSON.stringify(withoutNulls(tree(scope))),
  form: compileForm,
  text: (_, tree) => scope => {
    const value = tree(scope)
    return value === null || value === undefined ? null : singleText('body', value)
  },
  binary: (_, tree) => scope => bytesOf('body', tree(scope)),
} satisfies Record<Exclude<Encoding, 'multipart'>, Writer>

function compileForm(
  section: RestCardSection,
  tree: ExpressionTree,
  compiler: SectionCompiler,
): (scope: ExpressionScope) => string {
  const names = isObject(section.body) ? Object.keys(section.body) : null
  const formOf = compileForms('body', names, section, compiler)
  return scope => {
    const members = membersOf(tree(scope))
    return Object.entries(members)
      .flatMap(([name, value]) => writeParameter(formOf(name), value))
      .join('&')
  }
}
