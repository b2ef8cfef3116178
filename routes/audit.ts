import { Readable } from 'node:stream'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import type { Audit } from '../src/access/audit.ts'
import { exportAudit, listAudit } from '../src/access/audit-list.ts'
import { requireOperator } from '../src/access/operator.ts'
import { pageOf } from '../src/journal/row-schemas.ts'
import { AUDIT_ACTIONS, AuditHead, AuditRecord } from '../src/model/audit.ts'
import { OneOf } from '../src/model/one-of.ts'
import { success } from './support/answer.ts'
import {
  assertOneCursor,
  DEFAULT_LIMIT,
  pagingMembers,
  Time,
  toTime,
} from './support/journal-list.ts'
import { answersOf, LinesBody } from './support/schemas.ts'

const Name = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))

const filterMembers = {
  action: Type.Optional(OneOf(AUDIT_ACTIONS, 'Only this kind of decision.')),
  actor: Name('Only decisions of this key or person.'),
  subject: Name('Only decisions about this key, approval, credential or file.'),
  since: Type.Optional(Time),
  until: Type.Optional(Time),
}
const FilterQuery = Type.Object(filterMembers, { additionalProperties: false })
type FilterQuery = Static<typeof FilterQuery>
const ListQuery = Type.Object(
  { ...filterMembers, ...pagingMembers },
  { additionalProperties: false },
)

const LIST = {
  schema: {
    tags: ['audit'],
    operationId: 'listAudit',
    summary: 'List decisions about keys, credentials, approvals and settings (operators)',
    description:
      'Lists the records page by page, the newest first. Keep the head elsewhere: it shows later whether records were cut off.',
    querystring: ListQuery,
    response: answersOf(Type.Composite([pageOf(AuditRecord), Type.Object({ head: AuditHead })])),
  },
}
const EXPORT = {
  schema: {
    tags: ['audit'],
    operationId: 'exportAudit',
    summary: 'Export the audit as JSON lines, the oldest record first (operators)',
    description:
      'Sends one record a line. The command signalbox audit verify checks such a file, if no filter has left out records.',
    querystring: FilterQuery,
    response: { 200: LinesBody('A record on each line.') },
  },
}

/** Lists and exports the audit. */
export function auditRoutes({
  audit,
}: {
  readonly audit: Pick<Audit, 'read' | 'head'>
}): FastifyPluginCallbackTypebox {
  return (app, _options, done) => {
    app.get('/v1/audit', LIST, async request => {
      requireOperator(request.caller, 'read the audit')
      const { limit = DEFAULT_LIMIT, after, before, ...rest } = request.query
      assertOneCursor(request.query)
      const page = await listAudit(audit, toFilter(rest), { limit: Number(limit), after, before })
      return success(request, { ...page, head: await audit.head() })
    })
    app.get('/v1/audit/export', EXPORT, async (request, reply) => {
      requireOperator(request.caller, 'read the audit')
      const records = exportAudit(audit, toFilter(request.query))
      // A database that is away should be an envelope, and not an empty file.
      const first = await records.next()
      reply.type('application/x-ndjson; charset=utf-8')
      return reply.send(Readable.from(toLines(first, records)))
    })
    done()
  }
}

async function* toLines(
  first: IteratorResult<AuditRecord>,
  rest: AsyncGenerator<AuditRecord>,
): AsyncGenerator<string> {
  if (first.done) return
  yield `${JSON.stringify(first.value)}\n`
  for await (const record of rest) yield `${JSON.stringify(record)}\n`
}

function toFilter({ since, until, ...texts }: FilterQuery) {
  return {
    ...texts,
    ...(since === undefined ? {} : { since: toTime('since', since) }),
    ...(until === undefined ? {} : { until: toTime('until', until) }),
  }
}
