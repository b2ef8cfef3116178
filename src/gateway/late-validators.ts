import type { ErrorObject } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import { createAjv } from '../cards/ajv.ts'
import { MOST_EXPLAINED } from '../cards/validate.ts'
import { once } from '../lib/late.ts'
import { hasMoreValues } from '../lib/nesting.ts'

interface Validate {
  (data: unknown): boolean
  errors?: ErrorObject[] | null
}

/** Compiles the schema of an endpoint when it gets its first request: most processes serve few of them. */
export function lateValidators(): FastifySchemaCompiler<object> {
  const ajv = createAjv({ useDefaults: true, verbose: true })
  const ajvAll = createAjv({ useDefaults: true, allErrors: true, verbose: true })
  return ({ schema }) => {
    const compiled = once(() => ajv.compile(schema))
    const findAll = once(() => ajvAll.compile(schema))
    const validate: Validate = data => {
      const check = compiled()
      const passes = check(data)
      validate.errors = check.errors ?? null
      if (passes || hasMoreValues(data, MOST_EXPLAINED)) return passes
      const all = findAll()
      all(data)
      validate.errors = all.errors ?? check.errors ?? null
      return false
    }
    return validate
  }
}
