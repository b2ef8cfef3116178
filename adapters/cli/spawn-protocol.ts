import type { AbortReason, ProcessResult, ProcessSpec } from './process-runner.ts'

/** Messages from the gateway to the helper process. */
export type HelperRequest =
  | { readonly kind: 'run'; readonly id: number; readonly spec: ProcessSpec }
  | { readonly kind: 'abort'; readonly id: number; readonly why: AbortReason }

/** Messages from the helper to the gateway: for each run `started` at most once, then `result`, then `gone`. */
export type HelperEvent =
  | { readonly kind: 'started'; readonly id: number; readonly pid: number }
  | { readonly kind: 'result'; readonly id: number; readonly result: ProcessResult }
  | { readonly kind: 'gone'; readonly id: number }
