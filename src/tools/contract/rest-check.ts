import type { RestCall } from './calls.ts'
import type { Scope } from './evaluate.ts'
import type { OpenApi } from './openapi.ts'
import type { ReportFault } from './report-fault.ts'

/** One REST call to check, with the scopes of the sample inputs. */
export interface RestCheck {
  readonly openApi: OpenApi
  readonly call: RestCall
  readonly scopes: readonly Scope[]
  readonly report: ReportFault
}
