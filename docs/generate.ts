/** `npm run docs`: writes the pages that are made from code. A test fails when one is outdated. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CODES, ERROR_CODES, type ErrorCode } from '../src/model/errors.ts'
import { adviseNext } from '../src/model/next.ts'
import { clientTypes } from '../src/tools/client-types/client-types.ts'
import { capabilitiesPage, cardsOf } from './capabilities-page.ts'
import { understandingSection } from './understanding-section.ts'
import { vocabulariesSection } from './vocabularies-section.ts'

/** The generator of each page, by its file name. */
export const PAGES = {
  'errors.md': errorsPage,
  'capabilities.md': capabilitiesPage,
  '../client/github.ts': githubTypes,
} as const

function githubTypes(): string {
  return clientTypes(cardsOf('github'), { name: 'GithubCapabilities', made: 'npm run docs' })
}

function errorsPage(): string {
  return `<!-- Made by docs/generate.ts from src/model/errors.ts and src/model/next.ts; do not edit. -->

# Error codes

\`error.code\` is one of these ${ERROR_CODES.length}. Read \`error.next\` first: it takes into account the code, whether you may
repeat the capability, what became of the request, and how long a quota is used up.

| code | HTTP | retryable | fallback | write outcome | \`next\` of a read | base code | meaning |
|---|---|---|---|---|---|---|---|
${ERROR_CODES.map(codeRow).join('\n')}

The table shows what is usual. A failure that the gateway knows better may differ: a CONFLICT that was a race is retryable, and
after a used-up quota of GitHub the gateway tries the routes with another quota. \`error\` and \`meta.attempts\` have the facts of
your call.

* **HTTP** is the status of the gateway's answer. Some codes have a second one: AUTH is 401 if your gateway key is missing or unknown.
  VALIDATION is 415 for a body that is not JSON or is compressed, and 422 for an Idempotency-Key that was used with another input or credential, and
  504 if \`only-if-cached\` forbids to ask the service. SERVER is 503 while
  the gateway shuts down, and if it cannot find out whether an Idempotency-Key was used.
* **retryable**: you may send the same call again, because it could succeed later. \`error.retryable\` is never true for a write that
  may have happened, whatever the code.
* **fallback**: another route could do better, so the gateway tries the next one.
* **write outcome** is what is known of a change after this failure. Only after \`not_applied\` does the gateway send it again.
* **\`next\` of a read**: \`retry\` becomes \`wait\` if the wait is known.
* **base code** is the coarser family, for software that knows eight codes.

## What to do

${ERROR_CODES.map(code => `* **${code}**: ${WHAT_TO_DO[code]}`).join('\n')}

## \`error.next\`

| action | do |
|---|---|
| \`retry\` | send the same call again after \`after_ms\` |
| \`wait\` | the same, but not before \`after_ms\`, the known wait |
| \`fix_input\` | change what \`fields\` names: members of the input, or an option such as \`route\`. The same call would fail again. After a CONFLICT, \`capability\` and \`input\` may name the read that shows the present state |
| \`reauth\` | get another credential |
| \`verify\` | call \`capability\` with \`input\` and look whether the change is there; do not send it again before |
| \`ask_human\` | ask a person: nothing you can do on your own is known to help, or to be safe |
| \`give_up\` | nothing: nobody waits for the answer any more |

One rule stands above the table. After a failed change whose \`error.write_outcome\` is \`unknown\` or
\`applied\`, the action is \`${actionAfterWrite(true)}\` if the capability has a way to find out, and otherwise
\`${actionAfterWrite(false)}\`, whatever the code.

${understandingSection()}
${vocabulariesSection()}`
}

function codeRow(code: ErrorCode): string {
  const { status, retryable, fallback, writeOutcome, base, meaning } = CODES[code]
  const next = `\`${actionAfterRead(code)}\``
  const cells = [code, status, yesNo(retryable), yesNo(fallback), writeOutcome, next, base, meaning]
  return `| ${cells.join(' | ')} |`
}

function yesNo(value: boolean): string {
  return value ? 'yes' : 'no'
}

function actionAfterRead(code: ErrorCode): string {
  const { retryable } = CODES[code]
  const nothing = {
    writeOutcome: null,
    retryAfterMs: null,
    fields: code === 'ADAPTER_UNSUPPORTED' ? [] : ['name'],
    verify: null,
    shows: null,
  }
  return adviseNext({ code, retryable, ...nothing }).action
}

function actionAfterWrite(canVerify: boolean): string {
  return adviseNext({
    code: 'TIMEOUT',
    retryable: true,
    writeOutcome: 'unknown',
    retryAfterMs: null,
    fields: [],
    verify: canVerify ? { capability: '', input: {} } : null,
    shows: null,
  }).action
}

const WHAT_TO_DO = {
  AUTH: 'use a valid credential. With HTTP 401 it is the gateway key; otherwise it is the one for the upstream, which the operator sets or you send as `X-Upstream-Authorization`.',
  FORBIDDEN:
    'do not send the call again. Ask somebody to grant you access, or use another account.',
  APPROVAL_REQUIRED:
    'a person has to approve the call: [approvals](trust.md#approvals). Wait for `error.retry_after_ms`, then send the same call again, with the id in `error.next.approval_id` as the header `Signalbox-Approval`.',
  NOT_FOUND:
    'check the names in your input. Upstreams also answer like this for things that this credential may not see.',
  VALIDATION:
    'correct each member that `error.details.fields` names; `GET /v1/capabilities/{id}` shows the schema.',
  CONFLICT:
    'read the present state first, then decide. If `error.retryable` is true, the same call may succeed in a moment.',
  TOO_LARGE: 'send less, or ask for fewer items.',
  RATE_LIMIT:
    'wait for `error.retry_after_ms`. If the capability has routes with another quota, the gateway has tried them already.',
  TIMEOUT: 'you may repeat a read. For a change, look at `error.write_outcome` first.',
  NETWORK: 'you may repeat a read. For a change, look at `error.write_outcome` first.',
  SERVER:
    'you may repeat a read; `meta.attempts` shows which routes were tried. For a change, look at `error.write_outcome` first.',
  NOT_READY:
    'ask again after `error.retry_after_ms`, with the call that `error.next` names, if there is one.',
  OUTPUT_INVALID:
    'tell the operator: the upstream has changed, or the card is wrong. A change may have been applied.',
  ADAPTER_UNSUPPORTED:
    'leave `route` out, or tell the operator what `error.message` says is missing.',
  CANCELLED: 'nothing. You will hardly see it: it means that you left.',
  UNKNOWN: 'tell the operator the `meta.request_id`; the journal has the attempts.',
} satisfies Record<ErrorCode, string>

if (import.meta.main) {
  for (const [name, make] of Object.entries(PAGES)) {
    writeFileSync(fileURLToPath(new URL(name, import.meta.url)), make())
  }
}
