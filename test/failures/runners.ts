import type { CaseRunner, FailureCase } from './case.ts'
import { runCliCase } from './run-cli.ts'
import { runHttpCase } from './run-http.ts'
import { runTransportCase } from './run-transport.ts'

/** The runner for the cases of each route. */
export const RUNNERS: Partial<Record<FailureCase['route'], CaseRunner>> = {
  rest: runHttpCase,
  graphql: runHttpCase,
  transport: runTransportCase,
  cli: runCliCase,
}
