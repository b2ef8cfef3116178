/** Shows where an answer comes from that the gateway did not get by calls of this request alone. */
import { formatDuration, formatFullTime } from '../lib/format.js'
import { approvalUrl, requestUrl } from '../lib/router.js'
import { html } from '../lib/view.js'
import { formOf, reachedRoutes } from '../model/form.js'
import { gateOf } from '../model/refusal.js'
import { Sign } from '../parts/sign.js'
import { KeyHolder } from './key-holder.js'
import { Settler } from './settler.js'

/**
 * @typedef {import('../../../src/journal/row-schemas.ts').RequestDetail} RequestDetail
 * @typedef {import('../model/form.js').Form} Form
 * @typedef {{ title: string, text: unknown, link?: unknown }} Words
 */

/**
 * Null for a request whose calls are the whole picture.
 * @param {{ request: RequestDetail }} props
 */
export function Origin({ request }) {
  const form = formOf(request)
  const words = WORDS[form](request)
  if (!words) return null
  return html`<section class="origin ${form}" aria-labelledby="origin" data-form=${form}>
    <h2 id="origin"><${Sign} form=${form} />${words.title}</h2>
    <p>${words.text}</p>
    ${words.link && html`<p class="source">${words.link}</p>`}
  </section>`
}

/** @type {Record<Form, (request: RequestDetail) => Words | null>} */
const WORDS = {
  sent: ({ meta }) =>
    meta?.approval_id
      ? {
          title: 'A person approved it',
          text: 'The key needs an approval for this call. The gateway sent it with the one below.',
          link: approvalLink(meta.approval_id),
        }
      : null,
  replayed: request => ({
    title: 'Repeated: nothing was sent',
    text: 'The caller sent an Idempotency-Key again, so the gateway gave the stored answer of the first request.',
    link: sourceLink(request, 'The first request'),
  }),
  coalesced: request => ({
    title: 'Shared: nothing was sent',
    text: 'An identical read was running, so this request waited for it and got the same answer.',
    link: sourceLink(request, 'The request that was running'),
  }),
  memory: request => ({
    title: 'From memory: nothing was sent',
    text: `The caller allowed a kept answer. This one was ${ageOf(request)} old.`,
    link: sourceLink(request, 'The request that got it'),
  }),
  stale: request => ({
    title: 'From memory, after the routes had failed',
    text: `The caller allowed an older answer in that case. This one was ${ageOf(request)} old.`,
    link: sourceLink(request, 'The request that got it'),
  }),
  revalidated: request => ({
    title: 'Confirmed: the upstream sent no new answer',
    text: 'The upstream answered 304: what it had sent before still holds.',
    link: sourceLink(request, 'The request that got the answer'),
  }),
  recovered: describeRecovery,
  unknown: request => ({
    title: 'Not known: the write was not sent again',
    text: 'The gateway stopped during the first request with this Idempotency-Key. A check could not tell whether it was applied.',
    link: sourceLink(request, 'The request that was interrupted'),
  }),
  resent: request => ({
    title: 'Sent again: the first request was interrupted',
    text: `The gateway stopped during the first request with this Idempotency-Key. ${
      request.effect === 'write'
        ? 'A check found that it had not been applied, so this request sent it.'
        : 'To apply it twice does no more than once, so this request sent it.'
    }`,
    link: sourceLink(request, 'The request that was interrupted'),
  }),
  interrupted: request => ({
    title: 'Interrupted: the gateway stopped',
    text: `It was about to send the write by ${request.route_used}, or had sent it. Nobody knows for how long, so the picture has no bar.`,
    link: request.idempotency_key_hash && html`<${Settler} request=${request} />`,
  }),
  refused: describeRefusal,
  waiting: ({ error }) => ({
    title: 'A person was asked: nothing was sent',
    text: 'The key needs an approval for this call. The page of the approval says what became of it.',
    link: approvalLink(error?.details.approval_id ?? error?.next.approval_id),
  }),
}

/** @param {RequestDetail} request */
function titleOfRefusal(request) {
  return reachedRoutes(request) ? 'No route could be used' : 'Refused'
}

/**
 * @param {RequestDetail} request
 * @returns {Words}
 */
function describeRefusal(request) {
  const {
    decided_by: person,
    decided_at: time,
    note,
    expires_at: end,
  } = request.error?.details ?? {}
  if (typeof person !== 'string' || typeof time !== 'string' || typeof end !== 'string') {
    return {
      title: `${titleOfRefusal(request)}: nothing was sent`,
      text: `Stopped by ${gateOf(request)}.`,
      link: neededLink(request),
    }
  }
  const words = typeof note === 'string' ? ` “${note}”` : ''
  return {
    title: 'Refused by a person: nothing was sent',
    text: `${person} refused it at ${formatFullTime(time)}.${words} The same call is refused until ${formatFullTime(end)}, and asks anew after that; with another input it asks at once.`,
    link: approvalLink(request.error?.details.approval_id),
  }
}

/** @param {RequestDetail} request */
function describeRecovery(request) {
  const { answer_from: from } = request
  if (!from) {
    return {
      title: 'Recovered: a check found the write',
      text: 'The answer to the write was lost. The gateway did not send it again, but looked for what it had made.',
    }
  }
  return {
    title: 'Recovered: the write was not sent again',
    text: 'The gateway stopped during the first request with this Idempotency-Key. A check found what that had made.',
    link: sourceLink(request, 'The request that was interrupted'),
  }
}

/**
 * @param {RequestDetail} request
 * @param {string} label
 */
function sourceLink({ answer_from: from }, label) {
  const id = from?.request_id
  if (!id) return `${label} is not known here: it is another caller's, or was not recorded.`
  return html`${label}: <a href=${requestUrl(id)}><code>${id}</code></a>`
}

/** @param {unknown} id */
function approvalLink(id) {
  if (typeof id !== 'string') return undefined
  return html`The approval: <a href=${approvalUrl(id)}><code>${id}</code></a>`
}

/**
 * The call of the batch without which this one could not begin, the request that used the approval, or the one that holds the
 * Idempotency-Key.
 * @param {RequestDetail} request
 */
function neededLink(request) {
  const { error } = request
  const { need_request_id: needed, used_by: user, held_since: since } = error?.details ?? {}
  if (typeof since === 'string') return html`<${KeyHolder} request=${request} since=${since} />`
  const id = needed ?? user
  if (typeof id !== 'string') return undefined
  const label = needed === undefined ? 'The request that used it' : 'The call that failed'
  return html`${label}: <a href=${requestUrl(id)}><code>${id}</code></a>`
}

/** @param {RequestDetail} request */
function ageOf({ meta }) {
  return formatDuration(meta?.age_ms ?? 0)
}
