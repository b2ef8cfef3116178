import type { Building } from '../lib/building.ts'
import { checkApprovalId, checkReason } from './call-note.ts'
import { checkCorrelationId } from './correlation-id.ts'
import type { ExecuteRequest } from './execute-request.ts'
import { checkIdempotencyKey } from './idempotency-key.ts'
import type { OptionNames } from './option-names.ts'

type Word = 'idempotencyKey' | 'correlationId' | 'approval' | 'reason'

/** The texts that a caller sends about its call, the same at every door. */
export type CallWords = { readonly [Name in Word]?: string | undefined }

const CHECKS = {
  idempotencyKey: checkIdempotencyKey,
  correlationId: checkCorrelationId,
  approval: checkApprovalId,
  reason: checkReason,
} as const satisfies Record<Word, (text: string, path: string) => string>

/**
 * The words as the pipeline takes them, without those that the caller left out.
 * @param names what the door calls them
 * @throws {GatewayError} VALIDATION for a malformed one.
 */
export function checkWords(
  words: CallWords,
  names: OptionNames,
): Pick<ExecuteRequest, Word | 'optionNames'> {
  const checked: Building<Pick<ExecuteRequest, Word | 'optionNames'>> = {}
  for (const word of Object.keys(CHECKS) as Word[]) {
    const text = words[word]
    if (text !== undefined) checked[word] = CHECKS[word](text, names[word])
  }
  return { ...checked, optionNames: names }
}
