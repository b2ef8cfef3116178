import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CORE_SCHEMA, load } from 'js-yaml'
import { isObject } from '../../../src/lib/is-object.ts'
import { escapeKey } from '../../../src/lib/json-pointer.ts'
import { follow, type Json, objectMembers } from '../../../src/tools/import/references.ts'

/**
 * Writes a document with these paths only, without answers and without the schemas that nobody refers to, because
 * Prism takes minutes to read some whole documents. Returns its path.
 */
export function trimmed(file: string, paths: readonly string[], folder: string): string {
  const text = readFileSync(file, 'utf8')
  const document = (
    file.endsWith('.json') ? JSON.parse(text) : load(text, { schema: CORE_SCHEMA })
  ) as Json
  const own = objectMembers(document.paths).filter(([path]) => paths.includes(path))
  const small = {
    ...withoutExtensions(document),
    paths: Object.fromEntries(own.map(([path, item]) => [path, withoutAnswers(item)])),
  }
  const used = new Set<string>()
  collect(small.paths, document, used)
  // Some documents refer to parts of other operations.
  const others = objectMembers(document.paths).filter(([path]) =>
    [...used].some(reference => reference.startsWith(`#/paths/${escapeKey(path)}/`)),
  )
  for (const [path, item] of others) Object.assign(small.paths, { [path]: item })
  collect(Object.fromEntries(others), document, used)
  const out = join(folder, 'trimmed.json')
  writeFileSync(out, JSON.stringify(withoutUnused(small, used)))
  return out
}

function withoutExtensions(document: Json): Json {
  return Object.fromEntries(
    Object.entries(document).filter(([key]) => key !== 'webhooks' && !key.startsWith('x-')),
  )
}

function withoutAnswers(item: Json): Json {
  const answers = { default: { description: 'Any.' } }
  return Object.fromEntries(
    Object.entries(item).map(([key, value]) => [
      key,
      isObject(value) && value.responses !== undefined ? { ...value, responses: answers } : value,
    ]),
  )
}

/** Collects the references in a value, and in what they lead to. */
function collect(value: unknown, document: Json, used: Set<string>): void {
  if (value === null || typeof value !== 'object') return
  const { $ref } = value as { readonly $ref?: unknown }
  if (typeof $ref === 'string' && !used.has($ref)) {
    used.add($ref)
    collect(follow(document, $ref), document, used)
  }
  for (const part of Object.values(value)) collect(part, document, used)
}

function withoutUnused(document: Json, used: ReadonlySet<string>): Json {
  const pruned = (group: unknown, pointer: string) =>
    Object.fromEntries(
      Object.entries(isObject(group) ? group : {}).filter(([name]) =>
        used.has(`${pointer}/${name}`),
      ),
    )
  const components = Object.entries(isObject(document.components) ? document.components : {}).map(
    ([kind, group]) => [
      kind,
      kind === 'securitySchemes' ? group : pruned(group, `#/components/${kind}`),
    ],
  )
  return {
    ...document,
    ...(document.components === undefined ? {} : { components: Object.fromEntries(components) }),
    ...(document.definitions === undefined
      ? {}
      : { definitions: pruned(document.definitions, '#/definitions') }),
  }
}
