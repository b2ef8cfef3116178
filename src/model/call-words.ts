import { checkApprovalId, checkReason } from './call-note.ts'
import { checkCorrelationId } from './correlation-id.ts'
import type { ExecuteRequest } from './execute-request.ts'
import { checkIdempotencyKey } from './idempotency-key.ts'

type Word = 'idempotencyKey' | 'correlationId' | 'approval' | 'reason'

/** The texts that a caller sends about its call, the same at every door. */
export type CallWords = { readonly [Name in Word]?: string | undefined }

/**
 * The words as the pipeline takes them, without those that the caller left out.
 * @throws {GatewayError} VALIDATION for a malformed one.
 */
export function checkWords({
  idempotencyKey,
  correlationId,
  approval,
  reason,
}: CallWords): Pick<ExecuteRequest, Word> {
  return {
    ...(idempotencyKey === undefined
      ? {}
      : { idempotencyKey: checkIdempotencyKey(idempotencyKey) }),
    ...(correlationId === undefined ? {} : { correlationId: checkCorrelationId(correlationId) }),
    ...(approval === undefined ? {} : { approval: checkApprovalId(approval) }),
    ...(reason === undefined ? {} : { reason: checkReason(reason) }),
  }
}
