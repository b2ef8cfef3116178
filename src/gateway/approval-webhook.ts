import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type * as standardWebhooks from 'standardwebhooks'
import type * as undici from 'undici'
import { later } from '../lib/later.ts'
import { messageOf } from '../lib/message-of.ts'
import type { Approval } from '../model/approval.ts'
import type { ApprovalStore } from '../state/approvals.ts'

export interface WebhookOptions {
  readonly url: string
  /** Base64, with or without `whsec_` before it. */
  readonly secret: string
  /** Address of the page on which a person decides. */
  readonly page: (id: string) => string
  readonly logger: Pick<Logger, 'warn'>
  /** Waits between the tries, milliseconds. @default a second, 10 seconds, a minute */
  readonly pauses?: readonly number[]
}

const TRY_MS = 5_000
const PAUSES = [1_000, 10_000, 60_000]
/** With more announcements on their way, the receiver is down, and a person looks at the list anyway. */
const MOST_AT_ONCE = 100

/** Tells a web service of each call that begins to wait, in the form of Standard Webhooks. Calls do not wait for it. */
export function announceApprovals(store: ApprovalStore, options: WebhookOptions): ApprovalStore {
  const announce = createAnnouncer(options)
  return {
    find: (id, now) => store.find(id, now),
    use: (id, requestId, now) => store.use(id, requestId, now),
    giveBack: (id, requestId) => store.giveBack(id, requestId),
    decide: (id, decision) => store.decide(id, decision),
    list: filter => store.list(filter),
    waiting: now => store.waiting(now),
    expire: now => store.expire(now),
    tryToWrite: () => store.tryToWrite(),
    async ask(asked) {
      const approval = await store.ask(asked)
      // Later calls find the approval of the first one.
      if (approval.request_id === asked.requestId) announce(approval)
      return approval
    },
  }
}

const webhooks = later<typeof standardWebhooks>('standardwebhooks')
const http = later<typeof undici>('undici')

/** Sends an announcement once. */
function createSender({ url, secret }: Pick<WebhookOptions, 'url' | 'secret'>) {
  const { Webhook } = webhooks()
  const { Agent, request } = http()
  const signer = new Webhook(secret)
  const agent = new Agent({ connections: 4, connectTimeout: TRY_MS })
  return async (id: string, body: string): Promise<void> => {
    const time = new Date()
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
      'webhook-signature': signer.sign(id, time, body),
    }
    const signal = AbortSignal.timeout(TRY_MS)
    const answer = await request(url, { method: 'POST', headers, body, signal, dispatcher: agent })
    await answer.body.dump()
    if (answer.statusCode >= 300) throw new Error(`it answered ${answer.statusCode}`)
  }
}

function createAnnouncer(options: WebhookOptions) {
  const { page, logger, pauses = PAUSES } = options
  const send = createSender(options)
  let running = 0
  const deliver = async (id: string, body: string) => {
    for (const pause of [...pauses, null]) {
      try {
        return await send(id, body)
      } catch (error) {
        if (pause === null) throw error
        await delay(pause, undefined, { ref: false })
      }
    }
  }
  return (approval: Approval) => {
    if (running >= MOST_AT_ONCE) return
    running++
    const { approval_id: id } = approval
    deliver(id, JSON.stringify(toEvent(approval, page(id))))
      .catch(error =>
        logger.warn(
          { approval_id: id, err: messageOf(error) },
          'the webhook for approvals did not take the announcement',
        ),
      )
      .finally(() => running--)
  }
}

/** Leaves out the input, which is for the person who decides. */
function toEvent(approval: Approval, url: string) {
  const { approval_id, capability_id, caller, reason, created_at, expires_at } = approval
  return {
    type: 'approval.waiting',
    timestamp: created_at,
    data: { approval_id, capability_id, caller, reason, expires_at, url },
  }
}
