import type { ProcessResult, ProcessSpec } from './process-runner.ts'

/** What the gateway tells the helper process. */
export type HelperRequest =
  | { readonly kind: 'run'; readonly id: number; readonly spec: ProcessSpec }
  | { readonly kind: 'abort'; readonly id: number; readonly why: 'deadline' | 'cancelled' }

/** What the helper tells the gateway: for each run `started` at most once, then `result`, then `gone`. */
export type HelperEvent =
  | { readonly kind: 'started'; readonly id: number; readonly pid: number }
  | { readonly kind: 'result'; readonly id: number; readonly result: ProcessResult }
  | { readonly kind: 'gone'; readonly id: number }
