import type { ExecuteRequest } from './execute-request.ts'

/** The place of a call in its batch, as answers and the journal name it. */
interface BatchNames {
  readonly batch_id?: string
  readonly batch_step?: string
  readonly batch_item?: number
}

/** Empty for a call that came by itself. */
export function batchNamesOf({ batch, step }: Pick<ExecuteRequest, 'batch' | 'step'>): BatchNames {
  if (batch === undefined) return {}
  return {
    batch_id: batch.id,
    ...(step === undefined ? {} : { batch_step: step.name }),
    ...(step === undefined || step.item === null ? {} : { batch_item: step.item }),
  }
}
