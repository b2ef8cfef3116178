import { isObject } from '../../lib/is-object.ts'
import { variablesOf } from '../../lib/request-target.ts'

/** `input` that is not followed by the name of a member: the whole input. */
const WHOLE = /\binput\b(?!\s*\.)/
const MEMBER = /\binput\s*\.\s*"?([A-Za-z_]\w*)/g

/** The members of the input that no route sends or reads. */
export function unusedMembers(
  card: Readonly<Record<string, unknown>>,
  inputs: readonly string[],
): readonly string[] {
  const used = new Set<string>()
  const page = isObject(card.page) ? Object.values(card.page) : []
  for (const name of page) used.add(String(name))
  const isWhole = textsIn(card.routes).some(text => {
    for (const [, name = ''] of text.matchAll(MEMBER)) used.add(name)
    for (const name of text.startsWith('/') ? variablesOf(text) : []) used.add(name)
    return WHOLE.test(withoutTexts(text))
  })
  return isWhole ? [] : inputs.filter(name => !used.has(name))
}

/** Without the literal texts of an expression, which may contain any word. */
function withoutTexts(text: string): string {
  return text.replaceAll(/'(?:[^'\\]|\\.)*'/g, '')
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isObject(value) ? Object.values(value).flatMap(textsIn) : []
}
