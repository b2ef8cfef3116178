import { isObject } from '../../src/lib/is-object.ts'
import { writeParameter } from '../../src/lib/parameters.ts'
import { singleText } from '../../src/lib/value-error.ts'
import { withoutNulls } from '../../src/lib/without-nulls.ts'
import type { SectionCompiler } from '../../src/model/adapter.ts'
import type { ExpressionScope } from '../../src/model/expression.ts'
import { bytesOf, isMissing, membersOf } from './body-values.ts'
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

export type BodyBuilder = (scope: ExpressionScope) => Body | null | Promise<Body | null>

const NO_BODY: BodyBuilder = () => null

/** Compiles the body of a card's request. The builder throws `ValueError` for a value that cannot be sent. */
export function compileBody(section: RestCardSection, compiler: SectionCompiler): BodyBuilder {
  checkUse(section, compiler)
  const { encoding = 'json', body, files } = section
  if (body === undefined && files === undefined) return NO_BODY
  const tree = body === undefined ? () => null : compiler.tree(body, ['body'])
  const type = compileContentType(section, compiler)
  if (encoding === 'multipart') return compileMultipart(section, tree, compiler)
  const write = WRITERS[encoding](section, compiler)
  const sendsNull = compileNull(section)
  return scope => {
    const value = tree(scope)
    if (isMissing(value) && !sendsNull(scope)) return null
    return { content: write(value), type: type(scope) }
  }
}

/** Whether a body without a value is the null of a caller, and not just left out. */
function compileNull({ encoding = 'json', body, keep_nulls }: RestCardSection) {
  const [, name] = (typeof body === 'string' && /^input\."?(\w+)"?$/.exec(body)) || []
  if (encoding !== 'json' || !keep_nulls || name === undefined) return () => false
  return ({ input }: ExpressionScope) => isObject(input) && Object.hasOwn(input, name)
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
  compiler: SectionCompiler,
) => (value: unknown) => string | Buffer

const WRITERS = {
  json: ({ keep_nulls }) =>
    keep_nulls ? value => JSON.stringify(value) : value => JSON.stringify(withoutNulls(value)),
  form: compileForm,
  text: () => value => singleText('body', value),
  binary: () => value => bytesOf('body', value),
} satisfies Record<Exclude<Encoding, 'multipart'>, Writer>

function compileForm(
  section: RestCardSection,
  compiler: SectionCompiler,
): (value: unknown) => string {
  const names = isObject(section.body) ? Object.keys(section.body) : null
  const formOf = compileForms('body', names, section, compiler)
  return value =>
    Object.entries(membersOf(value))
      .flatMap(([name, member]) => writeParameter(formOf(name), member))
      .join('&')
}
