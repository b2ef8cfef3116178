import type { ParityCases } from '../case.ts'

export const cases: ParityCases = {
  'viewer.view': [{ input: {} }],
}
