import { HTTP_METHODS } from '../../model/http-methods.ts'
import { checkBody } from './body.ts'
import type { OpenApi, Operation } from './openapi.ts'
import { checkQuery } from './query.ts'
import type { ReportFault } from './report-fault.ts'
import type { RestCheck } from './rest-check.ts'
import type { Segment } from './segments.ts'
import { readTemplate } from './template.ts'

const METHODS: readonly string[] = HTTP_METHODS

/** Checks that the endpoint of a call exists, and that it takes the parameters and body of the call. */
export function checkRestCall(check: RestCheck): void {
  const { call, report } = check
  const { method, templates, at } = call
  if (typeof method !== 'string' || !METHODS.includes(method)) {
    return report(at, 'is called without a method', `Add options: { method: "'GET'" }.`)
  }
  if (templates.length === 0) {
    const fix = "Write uri('path/{name}', {name: …})."
    return report(at, 'has no path that this check can read', fix)
  }
  for (const template of templates) checkTemplate(check, method, template)
}

function checkTemplate(check: RestCheck, method: string, template: string): void {
  const { openApi, call, report } = check
  const { paths, pathsWithLookups, parameters } = readTemplate(template, call.target)
  const find = (all: readonly Segment[][]) =>
    all.flatMap(segments => openApi.find(method, segments))
  const plain = find(paths)
  const operations = plain.length > 0 ? plain : find(pathsWithLookups)
  if (operations.length === 0) {
    const message = `calls ${method} ${template}, which GitHub does not have`
    return report(call.at, message, methodsHint(openApi, paths[0] ?? []))
  }
  // A variable for several segments, or for a word of the path, can match several endpoints. Report the
  // faults of the best fit.
  const isAmbiguous = paths.length > 1 || plain.length === 0
  const faults = (isAmbiguous ? operations : operations.slice(0, 1)).map(operation =>
    faultsOf(check, operation, parameters),
  )
  const [fewest = []] = faults.toSorted((a, b) => a.length - b.length)
  for (const fault of fewest) report(...fault)
}

function faultsOf(
  check: RestCheck,
  operation: Operation,
  parameters: readonly string[],
): Parameters<ReportFault>[] {
  const faults: Parameters<ReportFault>[] = []
  const collecting = {
    ...check,
    report: (...fault: Parameters<ReportFault>) => void faults.push(fault),
  }
  checkQuery(collecting, operation, parameters)
  checkBody(collecting, operation)
  return faults
}

function methodsHint(openApi: OpenApi, segments: readonly Segment[]): string {
  const methods = openApi.methodsOf(segments).filter(name => METHODS.includes(name))
  return methods.length > 0
    ? `This path takes ${methods.join(', ')}.`
    : 'Correct the path; https://docs.github.com/rest lists them all.'
}
