/** Writes the pages that are made from code: `npm run docs`. A test fails when one is out of date. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CODES, ERROR_CODES, type ErrorCode } from '../src/model/errors.ts'
import { adviseNext } from '../src/model/next.ts'
import { capabilitiesPage } from './capabilities-page.ts'

/** File name → what makes its content. */
export const PAGES = {
  'errors.md': errorsPage,
  'capabilities.md': capabilitiesPage,
} as const

function errorsPage(): string {
  return `<!-- Made by docs/generate.ts from src/model/errors.ts and src/model/next.ts; do not edit. -->

# Error codes

\`error.code\` is one of these ${ERROR_CODES.length}. Read \`error.next\` before anything else: it knows the code, whether the
capability may be repeated, what became of the request, and how long a quota lasts.

| code | HTTP | retryable | \`next\` of a read | base code | meaning |
|---|---|---|---|---|---|
${ERROR_CODES.map(codeRow).join('\n')}

* **HTTP** is the status of the gateway's answer. Some codes have a second one: AUTH is 401 when your gateway key is
  missing or unknown; VALIDATION is 415 for a body that is not JSON, and 422 for an Idempotency-Key used
  with another input; SERVER is 503 when the gateway itself is shutting down,
  and when it cannot find out whether an Idempotency-Key was used.
* **retryable** is the usual answer; \`error.retryable\` is the one for this failure. A CONFLICT that was a race is
  retryable, for example.
* **\`next\` of a read**: \`retry\` becomes \`wait\` when it is known how long.
* **base code** is the coarser family, for software that knows eight codes.

## What to do

${ERROR_CODES.map(code => `* **${code}**: ${WHAT_TO_DO[code]}`).join('\n')}

## \`error.next\`

| action | do |
|---|---|
| \`retry\` | send the same call again after \`after_ms\` |
| \`wait\` | the same, but not before \`after_ms\`: a time is known |
| \`fix_input\` | change the members in \`fields\`; the same call would fail again |
| \`reauth\` | get another credential |
| \`verify\` | call \`capability\` with \`input\` and look whether the change is there; do not send it again before |
| \`ask_human\` | nothing you can do by yourself is known to help, or to be safe |
| \`give_up\` | nobody waits for the answer any more |

One rule stands above the table: after a call whose effect is \`write\` and whose \`error.write_outcome\` is
\`unknown\` or \`applied\`, the action is \`${actionAfterWrite(true)}\` where the capability has a way to find out, else
\`${actionAfterWrite(false)}\`, whatever the code.
`
}

function codeRow(code: ErrorCode): string {
  const { status, retryable, base, meaning } = CODES[code]
  return `| ${code} | ${status} | ${retryable ? 'yes' : 'no'} | \`${actionAfterRead(code)}\` | ${base} | ${meaning} |`
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
  return adviseNext({ code, retryable, effect: 'read', ...nothing }).action
}

function actionAfterWrite(canVerify: boolean): string {
  return adviseNext({
    code: 'TIMEOUT',
    retryable: true,
    effect: 'write',
    writeOutcome: 'unknown',
    retryAfterMs: null,
    fields: [],
    verify: canVerify ? { capability: '', input: {} } : null,
    shows: null,
  }).action
}

const WHAT_TO_DO = {
  AUTH: 'use a working credential. With HTTP 401 it is the gateway key; otherwise the one for the upstream, which the operator sets or you send as `X-Upstream-Authorization`.',
  FORBIDDEN: 'do not try again. Somebody has to grant access, or you need another account.',
  NOT_FOUND:
    'check the names in your input. Upstreams also answer so for what this credential may not see.',
  VALIDATION:
    'correct each member that `error.details.fields` names; `GET /v1/capabilities/{id}` shows the schema.',
  CONFLICT:
    'read the present state first, then decide. If `error.retryable` is true, the same call may pass in a moment.',
  TOO_LARGE: 'send less, or ask for fewer items.',
  RATE_LIMIT:
    'wait `error.retry_after_ms`. With other routes left, the gateway has tried those whose quota is another one.',
  TIMEOUT: 'a read can be repeated. For a change, look at `error.write_outcome` first.',
  NETWORK: 'a read can be repeated. For a change, look at `error.write_outcome` first.',
  SERVER:
    'a read can be repeated; `meta.attempts` shows which routes were tried. For a change, look at `error.write_outcome` first.',
  NOT_READY: 'ask again after `error.retry_after_ms`.',
  OUTPUT_INVALID:
    'tell the operator: the upstream has changed, or the card is wrong. A change may have been applied.',
  ADAPTER_UNSUPPORTED:
    'leave `route` out, or tell the operator what `error.message` says is missing.',
  CANCELLED: 'nothing; you will hardly see it, since it means that you left.',
  UNKNOWN: 'tell the operator the `meta.request_id`; the attempts are in the journal.',
} satisfies Record<ErrorCode, string>

if (import.meta.main) {
  for (const [name, make] of Object.entries(PAGES)) {
    writeFileSync(fileURLToPath(new URL(name, import.meta.url)), make())
  }
}
