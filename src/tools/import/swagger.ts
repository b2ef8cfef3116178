import { upgradeFromTwoToThree } from '@scalar/openapi-upgrader/2.0-to-3.0'
import { isObject } from '../../lib/is-object.ts'
import { ImportError, NotExpressible } from './errors.ts'
import { deref, type Json, listOf, objectMembers } from './references.ts'

/** Turns a document of Swagger 2.0 into one of OpenAPI 3.0. */
export function convertSwagger(document: Json): Json {
  try {
    // The converter changes its argument.
    const converted: unknown = upgradeFromTwoToThree(withBodiesInPlace(structuredClone(document)))
    if (isObject(converted)) return converted
  } catch (error) {
    throw new ImportError(
      `the document is Swagger 2.0, and converting it to OpenAPI 3 fails: ${(error as Error).message}`,
    )
  }
  throw new ImportError('the document is Swagger 2.0, and cannot be converted to OpenAPI 3')
}

/**
 * Writes shared bodies and form members out where operations refer to them: the converter would leave them among the
 * parameters.
 */
function withBodiesInPlace(document: Json): Json {
  const owners = objectMembers(document.paths).flatMap(([, item]) => [
    item,
    ...objectMembers(item).map(([, operation]) => operation),
  ])
  for (const owner of owners as Record<string, unknown>[]) {
    if (!Array.isArray(owner.parameters)) continue
    owner.parameters = listOf(owner.parameters)
      .filter(isObject)
      .map(parameter => inPlace(document, parameter))
  }
  return document
}

function inPlace(document: Json, parameter: Json): Json {
  if (typeof parameter.$ref !== 'string') return parameter
  try {
    const target = deref(document, parameter)
    return /^(body|formData)$/.test(String(target.in)) ? structuredClone(target) : parameter
  } catch (error) {
    // The operation itself reports a reference that leads nowhere.
    if (error instanceof NotExpressible) return parameter
    throw error
  }
}
