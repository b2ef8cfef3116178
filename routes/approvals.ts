import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { ApprovalDesk } from '../src/access/approvals.ts'
import { requireOperator } from '../src/access/operator.ts'
import {
  APPROVAL_STATUSES,
  Approval,
  DECISIONS_ON_APPROVALS,
  MAX_NOTE,
} from '../src/model/approval.ts'
import { OneOf } from '../src/model/one-of.ts'
import { nullable } from '../src/model/schema-parts.ts'
import { success } from './support/answer.ts'
import { answersOf } from './support/schemas.ts'

const Params = Type.Object({ approval_id: Type.String({ maxLength: 100 }) })

const MOST = 200
const USUAL = 50
const LONGEST_MS = 30 * 24 * 60 * 60 * 1000

const ListQuery = Type.Object(
  {
    status: Type.Optional(OneOf(APPROVAL_STATUSES, 'Only approvals in this state.')),
    limit: Type.Optional(
      Type.String({ pattern: '^[1-9]\\d{0,2}$', description: `1 to ${MOST}; default ${USUAL}.` }),
    ),
    after: Type.Optional(
      Type.String({ maxLength: 100, description: 'The cursor of the previous page.' }),
    ),
  },
  { additionalProperties: false },
)

const Decision = Type.Object(
  {
    decision: OneOf(DECISIONS_ON_APPROVALS, 'Whether the call may run.'),
    note: Type.Optional(
      Type.String({ maxLength: MAX_NOTE, description: 'For the caller, if you refuse.' }),
    ),
    for_ms: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LONGEST_MS,
        description:
          'Approves the same call for this long, however often it is sent. Default: once.',
      }),
    ),
  },
  { additionalProperties: false },
)

const LIST = {
  schema: {
    tags: ['approvals'],
    operationId: 'listApprovals',
    summary: 'List calls that wait for a person, and those decided, newest first (operators)',
    description: 'Lists approvals page by page, each with the call that it is about.',
    querystring: ListQuery,
    response: answersOf(
      Type.Object({ items: Type.Array(Approval), nextCursor: nullable(Type.String()) }),
    ),
  },
}
const SHOW = {
  schema: {
    tags: ['approvals'],
    operationId: 'showApproval',
    summary: 'Show one approval, to operators and to the caller that asked',
    description: 'Shows whether the call may run now. Send the call again once it is approved.',
    params: Params,
    response: answersOf(Approval),
  },
}
const DECIDE = {
  schema: {
    tags: ['approvals'],
    operationId: 'decideApproval',
    summary: "Approve or refuse another caller's call (operators)",
    description:
      'Approves the call once, or for a while, or refuses it. Nobody approves a call of their own key.',
    params: Params,
    body: Decision,
    response: answersOf(Approval),
  },
}

/** Lists, shows and decides approvals. */
export function approvalRoutes({
  desk,
}: {
  readonly desk: ApprovalDesk
}): FastifyPluginCallbackTypebox {
  return (app, _options, done) => {
    app.get('/v1/approvals', LIST, async request => {
      requireOperator(request.caller, 'decide on approvals')
      const { status = null, limit = USUAL, after = null } = request.query
      const page = await desk.list({
        status,
        limit: Math.min(Number(limit), MOST),
        before: after,
      })
      return success(request, { items: page.items, nextCursor: page.next })
    })
    app.get('/v1/approvals/:approval_id', SHOW, async request => {
      const found = await desk.show(request.params.approval_id)
      if (found.caller !== request.caller.name)
        requireOperator(request.caller, 'decide on approvals')
      return success(request, found)
    })
    app.post('/v1/approvals/:approval_id', DECIDE, async request => {
      requireOperator(request.caller, 'decide on approvals')
      const { decision, note = null, for_ms = null } = request.body
      const verdict = { approve: decision === 'approve', note, forMs: for_ms }
      const { approval_id: id } = request.params
      return success(request, await desk.decide(id, request.caller.name, verdict))
    })
    done()
  }
}
