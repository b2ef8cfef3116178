import { mayCall } from '../../src/access/permission.ts'
import type { Calls } from '../../src/call/calls.ts'
import { nameOfCall } from '../../src/call/execute-batch.ts'
import type { Batch } from '../../src/model/adapter.ts'
import type { Answer } from '../../src/model/envelope.ts'
import type { GatewayError } from '../../src/model/errors.ts'
import { describeGatewayError, failedAnswer } from '../../src/model/failed-envelope.ts'
import type { Knowledge } from '../../src/render/render.ts'
import { readBatch } from './batch-calls.ts'
import type { AskedBatch } from './make-batch.ts'

/** Answers a batch that the gateway does not begin, and records each of its calls. */
export async function refuseBatch(
  { refuse }: Pick<Calls, 'refuse'>,
  { catalog }: Knowledge,
  { body, shared, presentation, metaNow }: AskedBatch,
  batch: Batch,
  error: GatewayError,
): Promise<Answer> {
  const calls = readBatch(shared, body.calls, presentation)
  const records = calls.map(({ request }, index) => {
    const step = { name: nameOfCall(calls, index), item: null }
    return refuse({ ...request, batch, step }, error)
  })
  await Promise.all(records)
  const effects = calls.flatMap(({ request: { capability } }) => {
    const card = catalog.get(capability)
    return card && mayCall(shared.caller, card) ? [card.effect] : []
  })
  const effect = effects.find(one => one !== 'read') ?? null
  return failedAnswer(describeGatewayError(error, effect), metaNow(), error.status)
}
